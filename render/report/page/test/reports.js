// Reports for the tests, written by the program itself.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const program = process.env.KNFORENSICS ?? join(root, 'bin/knforensics');

export const folder = mkdtempSync(join(tmpdir(), 'report-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// browser is where Chromium is, undefined if there is none.
export const browser = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));

// write has the program write a report and returns the address of it.
export function write(name, ...paths) {
  const file = join(folder, name);
  execFileSync(program, ['report', '-q', '-o', file, ...paths], { cwd: root });
  return 'file://' + file;
}

// event makes an audit event of an update of a Revision's status.
function event(n, { micros, name, service = 'big', code = 200, ready = 'True', message = '', user = 'system:serviceaccount:knative-serving:controller' }) {
  const at = Date.UTC(2026, 10, 30, 6) * 1e3 + micros;
  const time = new Date(Math.floor(at / 1e3)).toISOString().slice(0, 19) + `.${String(at % 1e6).padStart(6, '0')}Z`;
  const object = {
    apiVersion: 'serving.knative.dev/v1', kind: 'Revision',
    metadata: { name, namespace: 'load', uid: `uid-${name}`, resourceVersion: String(1000 + n), creationTimestamp: '2026-11-30T06:00:00Z', labels: { 'serving.knative.dev/service': service }, annotations: { 'autoscaling.knative.dev/initial-scale': '6' } },
    status: { actualReplicas: n % 7, conditions: [{ type: 'Ready', status: ready, reason: message, message, lastTransitionTime: time.slice(0, 19) + 'Z' }] },
  };
  return JSON.stringify({
    kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'RequestResponse', auditID: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`, stage: 'ResponseComplete',
    requestURI: `/apis/serving.knative.dev/v1/namespaces/load/revisions/${encodeURIComponent(name)}/status`, verb: 'update', user: { username: user }, userAgent: 'controller/v1',
    objectRef: { resource: 'revisions', namespace: 'load', name, uid: `uid-${name}`, apiGroup: 'serving.knative.dev', apiVersion: 'v1', subresource: 'status' },
    responseStatus: code < 300 ? { code } : { code, reason: 'Conflict', message }, ...(code < 300 ? { responseObject: object } : {}),
    requestReceivedTimestamp: time, stageTimestamp: time,
  });
}

function log(name, events) {
  const file = join(folder, name);
  writeFileSync(file, events.map((e, n) => event(n, e) + '\n').join(''));
  return file;
}

// crowd is a log of many writes of one family.
export const crowd = (many) => log('crowd.jsonl', Array.from({ length: many }, (_, n) => ({
  micros: n * 72000, name: `big-${String(n % 200 + 1).padStart(5, '0')}`, code: n % 50 === 3 ? 409 : 200, ready: ['True', 'False', 'Unknown'][Math.floor(n / 600) % 3], message: n % 50 === 3 ? 'modified' : '',
})));

// broken is a log that is silent for nine of eleven minutes.
export const broken = () => log('broken.jsonl', Array.from({ length: 1200 }, (_, n) => ({
  micros: n * 100000 + (n < 600 ? 0 : 540e6), name: 'big-00001', ready: 'True',
})));

// hostile is a log whose names and messages want to be more than text.
export const wicked = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'-alert(1)-'", '</script><script>alert(1)</script>', '\u202Eoops\u2066', '\u001b[31mred', '<!--', '{{7*7}}', 'javascript:alert(1)'];

export const hostile = () => log('hostile.jsonl', wicked.flatMap((text, i) => [0, 1, 2, 3].map((n) => ({
  micros: i * 1e6 + n * 1000, name: `evil-0000${i + 1}${text}`, service: 'evil', user: text, code: n === 2 ? 409 : 200, ready: n % 2 ? 'True' : 'False', message: text,
}))));
