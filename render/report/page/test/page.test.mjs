// The page in a real browser: what it says, what can be done with it, and that it
// asks nobody for anything.

import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { browser as path, broken, crowd, hostile, wicked, write } from './reports.js';

const skip = path ? false : 'no Chromium here; CHROMIUM names one';

describe('the page of an incident', { skip }, () => {
  let browser, incident, page, wrong;

  before(async () => {
    browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
    incident = write('latched.html', 'samples/latched');
  });
  after(() => browser.close());
  beforeEach(() => { wrong = []; });
  afterEach(async () => {
    await page?.context().close();
    page = undefined;
    assert.deepEqual(wrong, []);
  });

  // open opens a report and notes what must not happen.
  async function open(address = incident, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
    page = await context.newPage();
    page.on('console', (m) => wrong.push(`console: ${m.text()}`));
    page.on('pageerror', (e) => wrong.push(`error: ${e.message}`));
    page.on('dialog', (d) => { wrong.push(`dialog: ${d.message()}`); d.dismiss(); });
    page.on('request', (r) => { if (r.url().split('#')[0] !== address.split('#')[0]) wrong.push(`request: ${r.url()}`); });
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await page.waitForSelector('.bar');
    return page;
  }

  const caption = () => page.locator('table.rows caption').first().textContent();
  const reach = () => page.locator('.reach').first().textContent();
  const frame = () => page.locator('.frame').first();
  const dialog = () => page.locator('dialog');
  // settled waits until the table has followed the picture.
  const settled = () => page.waitForTimeout(400);

  // canvas scrolls to the picture, and tells where it is.
  async function canvas() {
    await frame().scrollIntoViewIfNeeded();
    return page.locator('canvas').first().boundingBox();
  }

  async function wheel(by, times = 1) {
    const box = await canvas();
    await page.mouse.move(box.x + box.width * 0.2, box.y + 200);
    await page.keyboard.down('Control');
    for (let i = 0; i < times; i++) await page.mouse.wheel(0, by);
    await page.keyboard.up('Control');
    await settled();
  }

  test('tells what happened without a script', async () => {
    await open(incident, { javaScriptEnabled: false });
    assert.equal(await page.locator('.story li').count(), 5);
    assert.match(await page.locator('.story').innerText(), /Ready=True was written at 1 of 6/);
    assert.match(await page.locator('.story').innerText(), /One more finding is told of below/);
    assert.equal(await page.locator('.finding').count(), 4);
    assert.equal(await page.locator('table.rows tbody tr').count(), 334);
    const proof = await page.locator('.story a.proof').nth(2).getAttribute('href');
    assert.equal(await page.locator(`[id="${decodeURIComponent(proof.slice(1))}"]`).count(), 1);
    assert.equal(await page.locator('.plot').isVisible(), false);
  });

  test('allows nothing but its own script and style', async () => {
    await open();
    const policy = await page.locator('meta[http-equiv]').getAttribute('content');
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|http|\*/);
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('*')].some((e) => [...e.attributes].some((a) => /^on/i.test(a.name) || a.name === 'style' && !e.closest('.plot')))), false);
    const reached = await page.evaluate(() => fetch('https://example.invalid/').then(() => true, () => false));
    assert.equal(reached, false);
    wrong = wrong.filter((w) => !/Content Security Policy|Refused to connect|violates/.test(w) && !/example\.invalid/.test(w));
  });

  test('zooms from the whole down to microseconds and back', async () => {
    await open();
    const whole = await reach();
    await wheel(-240);
    assert.notEqual(await reach(), whole);
    await wheel(-1200, 40);
    assert.match(await reach(), /^50 µs$/);
    await page.getByRole('button', { name: 'show all' }).click();
    assert.equal(await reach(), whole);
    await page.getByRole('button', { name: 'zoom in' }).click();
    await settled();
    assert.notEqual(await reach(), whole);
  });

  test('is moved by dragging', async () => {
    await open();
    await wheel(-600, 3);
    const before = await page.evaluate(() => location.hash);
    const box = await canvas();
    await page.mouse.move(box.x + 500, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 150, { steps: 4 });
    await page.mouse.up();
    await settled();
    assert.notEqual(await page.evaluate(() => location.hash), before);
  });

  test('has a crosshair that tells numbers and time', async () => {
    await open();
    const box = await canvas();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 120);
    assert.equal(await page.locator('.cross').isVisible(), true);
    assert.match(await page.locator('.readout').innerText(), /2026-11-30 06:37:\d\d\.\d{6}/);
    assert.match(await page.locator('.names').innerText(), /2\/6 ready, 100 % of traffic/);
  });

  test('claims nothing through a gap in the logs', async () => {
    await open(write('broken.html', broken()));
    const box = await canvas();
    // The colours at a height of the picture, from one part of its width to another.
    const colours = (y, from, to) => page.evaluate(([y, from, to]) => {
      const canvas = document.querySelector('canvas'), ratio = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(canvas.width * from, y * ratio, canvas.width * (to - from), 1);
      return [...new Set(new Uint32Array(data.buffer))].sort();
    }, [y, from, to]);
    for (const y of [26 + 54, 26 + 64 + 5]) { // the chart, and the bar below it
      const known = await colours(y, 0.02, 0.06), silent = await colours(y, 0.2, 0.8);
      assert.ok(known.some((c) => !silent.includes(c)) && silent.length > 1, `${y}: ${known} and ${silent}`);
    }
    assert.deepEqual(await colours(26 + 54, 0.2, 0.8), await colours(26 + 64 + 5, 0.2, 0.8));
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
    assert.match(await page.locator('.readout').innerText(), /a gap in the logs/);
    assert.match(await page.locator('.names').innerText(), /nothing known/);
  });

  test('filters by object, actor and kind', async () => {
    await open();
    assert.match(await caption(), /of 334 in sight, 334 in all/);
    await page.getByLabel('object of rows').selectOption('Image rt-00002-cache-user-container');
    await settled();
    const cells = await page.locator('table.rows tbody td:nth-child(3)').allInnerTexts();
    assert.deepEqual([...new Set(cells)], ['Image rt-00002-cache-user-container']);
    await page.getByLabel('refused write').uncheck();
    await settled();
    assert.match(await caption(), /^no rows/);
    await page.getByLabel('refused write').check();
    await page.getByLabel('object of rows').selectOption('');
    await page.getByLabel('actor of rows').selectOption('kubectl');
    await settled();
    assert.deepEqual([...new Set(await page.locator('table.rows tbody td:nth-child(5)').allInnerTexts())], ['kubectl']);
    assert.match(page.url(), /actor=kubectl/);
    await page.reload();
    assert.equal(await page.getByLabel('actor of rows').inputValue(), 'kubectl');
  });

  test('shows all conditions when asked to', async () => {
    await open();
    assert.equal(await page.locator('.name.minor').count(), 0);
    await page.getByLabel('all conditions').check();
    assert.match((await page.locator('.name.minor').allInnerTexts()).join(), /ContainerHealthy/);
  });

  test('opens the record of a proof, with what it changed', async () => {
    await open();
    await page.locator('.story a.proof').nth(2).click();
    await dialog().locator('.diff').waitFor();
    assert.match(await dialog().locator('ins').allInnerTexts().then((t) => t.join('')), /"status": "True"/);
    assert.match(await dialog().locator('del').allInnerTexts().then((t) => t.join('')), /"status": "False"/);
    const [removed, added] = [await dialog().locator('del').first().boundingBox(), await dialog().locator('ins').first().boundingBox()];
    assert.ok(added.y >= removed.y + removed.height && added.x === removed.x, 'each line of the difference stands below the one before');
    assert.match(await dialog().locator('.raw').innerText(), /"auditID": "3abf6edc-/);
    await settled();
    assert.match(page.url(), /row=/, 'the address leads to the record as long as it is open');
    await page.keyboard.press('Escape');
    assert.equal(await dialog().isVisible(), false);
    await settled();
    assert.doesNotMatch(page.url(), /row=/);
  });

  test('keeps its place in the address', async () => {
    await open();
    const finding = await page.locator('.finding h4 a').nth(2).getAttribute('href');
    await page.locator('.finding h4 a').nth(2).click();
    await settled();
    await page.getByRole('button', { name: 'zoom in' }).click();
    await settled();
    const address = page.url(), seen = await reach(), rows = await caption();
    assert.ok(address.includes(finding.slice(1)));
    assert.match(address, /&t=2026-11-30T06:\d\d:\d\d\.\d{6}Z&span=/);
    await page.context().close();
    await open(address);
    await settled();
    assert.equal(await reach(), seen);
    assert.equal(await caption(), rows);
  });

  test('draws nothing where nothing tells a time', async () => {
    await open(write('timeless.html', 'samples/latched/final.json.zst'));
    assert.equal(await page.locator('canvas').count(), 0);
    assert.match(await page.locator('.plot').innerText(), /nothing to draw/);
    await page.locator('table.rows tbody a').first().click();
    await dialog().waitFor();
  });

  test('survives an address that means nothing', async () => {
    for (const hash of ['#finding=none&t=never&span=-1', '#row=%E0%A4%A', '#&&=&x', '#t=2026-11-30T06:36:58Z&span=1e99']) {
      await open(incident + hash);
      assert.match(await caption(), /rows/);
      await page.context().close();
    }
    page = undefined;
  });

  test('is used with the keyboard alone', async () => {
    await open();
    await frame().focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('#said').innerText(), /06:3\d:\d\d\.\d{6} .+: .+/);
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.closest('dialog') !== null), true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
    await settled();
    assert.match(await caption(), /334 in sight/);
  });

  test('names everything for those who do not see it', async () => {
    await open();
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input, a, [role], [tabindex="0"]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim() || e.closest('label')?.textContent.trim()) && e.id !== 'said').map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
    assert.match(await page.locator('.names button').first().getAttribute('aria-label'), /^Service rt; Ready .* from 06:36:\d\d\.\d{3}/);
  });

  test('opens one record after another, however fast', async () => {
    await open();
    for (let i = 0; i < 12; i++) {
      const link = page.locator('table.rows tbody tr a').nth(i % 3);
      const place = await link.getAttribute('href');
      await link.click();
      await dialog().waitFor();
      assert.ok(page.url().includes(place.slice(1)), `${page.url()} and ${place}`);
      await page.keyboard.press('Escape');
      await page.waitForTimeout(i * 20);
    }
    await settled();
    assert.equal(await dialog().isVisible(), false);
  });

  test('keeps hostile names text', async () => {
    await open(write('hostile.html', hostile()));
    const text = await page.locator('body').innerText();
    for (const t of wicked.filter((w) => !/[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/.test(w))) assert.ok(text.includes(t), t);
    assert.ok(text.includes('\\u202eoops'));
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u001b]/);
    assert.equal(await page.locator('img, iframe, object, embed, base, form').count(), 0);
    assert.equal(await page.locator('script').count(), 2);
    for (const row of await page.locator('table.rows tbody tr').count().then((n) => [0, Math.min(n - 1, 7)])) {
      await page.locator('table.rows tbody tr a').nth(row).click();
      await dialog().waitFor();
      await page.keyboard.press('Escape');
    }
    await page.locator('.names button').nth(1).click();
    await settled();
  });

  test('stays smooth with 50,000 rows', async () => {
    await open(write('crowd.html', '--ksvc', 'big', crowd(50_000)));
    assert.match(await caption(), /of 50000 in sight/);
    await canvas();
    const frames = await page.evaluate(async () => {
      const canvas = document.querySelector('canvas'), box = canvas.getBoundingClientRect(), times = [];
      for (let i = 0; i < 60; i++) {
        const began = performance.now();
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: i < 30 ? -100 : 100, ctrlKey: true, clientX: box.left + 400, clientY: box.top + 100, bubbles: true, cancelable: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b);
    });
    assert.ok(frames[30] < 100, `half of the frames took more than ${frames[30]} ms`);
  });

  for (const width of [360, 1024, 1920]) {
    for (const colorScheme of ['light', 'dark']) {
      test(`fits a ${colorScheme} screen of ${width} pixels`, async () => {
        await open(incident, { viewport: { width, height: 900 }, colorScheme });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(ground, colorScheme === 'dark' ? 'rgb(20, 24, 28)' : 'rgb(255, 255, 255)');
      });
    }
  }

  test('calls kinds by their short names where it is narrow', async () => {
    await open(incident, { viewport: { width: 360, height: 900 } });
    const shown = await page.locator('.names button small').evaluateAll((all) => all.map((e) => getComputedStyle(e, '::after').content));
    for (const name of ['"ksvc"', '"rev"', '"kpa"', '"img"']) assert.ok(shown.includes(name), `${name} is none of ${shown}`);
    assert.equal(await page.getByText('PodAutoscaler', { exact: true }).first().isVisible(), false);
  });

  test('prints the whole picture in light colours', async () => {
    await open(incident, { colorScheme: 'dark' });
    const seen = await page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      const canvas = document.querySelector('canvas'), pixel = canvas.getContext('2d').getImageData(2, canvas.height - 2, 1, 1).data;
      const whole = canvas.clientHeight === document.querySelector('.paper').clientHeight;
      dispatchEvent(new Event('afterprint'));
      return { pixel: [...pixel], whole };
    });
    assert.deepEqual(seen, { pixel: [255, 255, 255, 255], whole: true });
    const pdf = await page.pdf({ format: 'A4' });
    assert.ok(pdf.length > 50_000);
  });
});
