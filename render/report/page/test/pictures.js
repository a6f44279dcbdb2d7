// Takes the pictures of docs/pictures: the page at three widths, light and dark.

import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browser as path, write } from './reports.js';

const folder = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url));
const address = write('latched.html', 'samples/latched');
const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
for (const width of [360, 1024, 1920]) {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width, height: width < 500 ? 780 : 900 }, colorScheme, reducedMotion: 'reduce' });
    await page.goto(address);
    await page.waitForSelector('.frame');
    const take = (name) => page.screenshot({ path: `${folder}report-${name}-${width}-${colorScheme}.png` });
    if (width === 1024 && colorScheme === 'light') await take('story');
    await page.evaluate(() => scrollBy(0, document.querySelector('.bar').getBoundingClientRect().top - 12));
    const box = await page.locator('canvas').first().boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
    await page.waitForTimeout(300);
    await take('timeline');
    await page.close();
  }
}
const page = await browser.newPage({ viewport: { width: 1024, height: 900 }, reducedMotion: 'reduce' });
await page.goto(address);
await page.locator('.story a.proof').nth(2).click();
await page.locator('dialog .diff').waitFor();
await page.screenshot({ path: `${folder}report-record-1024-light.png` });
await browser.close();
