// The address of the page names what is looked at: #finding=…&t=…. What is named
// lasts, so that a link still leads there after the report was written anew.

export function read() {
  const named = {};
  for (const part of location.hash.slice(1).split('&')) {
    const [key, value] = part.split(/=(.*)/s);
    try {
      if (key && value !== undefined) named[key] = decodeURIComponent(value);
    } catch {
      // what cannot be read names nothing
    }
  }
  return named;
}

export function link(named) {
  return '#' + Object.entries(named).filter(([, v]) => v !== undefined && v !== '').map(([k, v]) => `${k}=${encodeURIComponent(v).replace(/%(3A|2F|2C)/g, decodeURIComponent)}`).join('&');
}

let timer;

// go makes a step to what is named, to which "back" leads too.
export function go(named) {
  clearTimeout(timer);
  location.hash = link(named);
}

// write puts what is looked at into the address at once.
export function write(named) {
  clearTimeout(timer);
  const to = link(named);
  if (to !== (location.hash || '#')) history.replaceState(null, '', to);
}

// writeAtRest does so once what is looked at has come to rest: named tells it then. If
// a link was followed meanwhile, it does not: where that leads is not known yet.
export function writeAtRest(named) {
  clearTimeout(timer);
  const before = location.hash;
  timer = setTimeout(() => { if (location.hash === before) write(named()); }, 150);
}
