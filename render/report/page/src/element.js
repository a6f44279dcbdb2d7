// element makes an element. Text goes in as text and nothing else.
export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, '');
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

// say tells those who do not see the picture what has changed in it.
export function say(text) {
  document.getElementById('said').textContent = text;
}
