// Builds built/page.js and built/page.css, which the Go program embeds. With
// --check it writes nothing, and fails unless what is there is what it would write.
import { build } from 'esbuild';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';

const check = process.argv.includes('--check');

// licences returns a comment with the licence of each package that is in a bundle:
// theirs ask for that.
async function licences(inputs) {
  const names = new Set(Object.keys(inputs).map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean));
  const texts = new Map();
  for (const name of [...names].sort()) {
    const folder = `node_modules/${name}`;
    const { version } = JSON.parse(await readFile(`${folder}/package.json`));
    const file = (await readdir(folder)).find((f) => /^licen[cs]e/i.test(f));
    const text = (await readFile(`${folder}/${file}`, 'utf8')).trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, packages]) => `/*! ${packages.join(', ')}\n\n${text}\n*/\n`).join('');
}

const result = await build({
  entryPoints: ['src/page.js', 'src/page.css'],
  bundle: true, minify: true, write: false, metafile: true,
  outdir: 'built', target: ['es2022', 'chrome108', 'firefox115', 'safari16.4'], format: 'iife', charset: 'ascii', legalComments: 'none',
});

await mkdir('built', { recursive: true });
let differs = false;
for (const file of result.outputFiles) {
  const name = file.path.split('/').pop();
  const text = (name.endsWith('.js') ? await licences(result.metafile.inputs) : '') + file.text;
  if (/<\/(script|style)|<!--/i.test(text)) {
    throw new Error(`${name} would end the element that it stands in`);
  }
  if (!check) {
    await writeFile(`built/${name}`, text);
  } else if (text !== await readFile(`built/${name}`, 'utf8')) {
    differs = true;
    console.error(`built/${name} is not what the source gives: run npm run build`);
  }
}
process.exitCode = differs ? 1 : 0;
