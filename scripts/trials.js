// `npm run trials [count]`: the tests that kill, restart and poison, thirty trials each where `npm test` takes a few.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

const suites = [
  [
    'server',
    [
      'test/crash',
      'test/poison.test.ts',
      'test/backlog.test.ts',
      'src/engines/postgres/server/restarts.test.ts',
      'src/instance/lock.test.ts',
      'src/engines/clickhouse/durability.test.ts',
      'src/services/storage/files/cut-parts.test.ts',
      'src/services/functions/management/deploys.test.ts',
      'src/services/realtime/hostile.test.ts',
      'src/services/realtime/changes/stream-life.test.ts',
    ],
  ],
  [
    'e2e',
    [
      'crash',
      ...['containers', 'compose', 'server-page'].map((name) => `deploy/${name}`),
      ...['upgrade', 'other-postgres'].map((name) => `upgrade/${name}`),
      'refused-start',
      'production',
      ...[
        'axe',
        'screen-states',
        'first-minutes',
        'integrations',
        'functions',
        'realtime',
        'schema',
        'sql',
        'storage-states',
      ].map((name) => `console/${name}`),
    ],
  ],
]

await prepare({ ssr: true })
const env = { ...process.env, CLEW_TRIALS: process.argv[2] ?? '30' }
let failed = false
for (const [workspace, files] of suites) {
  const args = ['--no-install', 'vitest', 'run', ...files]
  failed = spawnSync('npx', args, { cwd: join(root, workspace), stdio: 'inherit', env }).status !== 0 || failed
}
process.exit(failed ? 1 : 0)
