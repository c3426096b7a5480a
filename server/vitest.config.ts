import { defineConfig } from 'vitest/config'
import { longestFirst } from '../scripts/longest-first.ts'
import { useScratchFolder } from '../scripts/scratch.ts'

useScratchFolder()

/** They take longer than larger files do. */
const longest = [
  ...['test/holds', 'test/root-keys', 'test/session-lists', 'test/erasures', 'start/start', 'test/recording-file'],
  ...['test/consent', 'test/no-server-errors', 'analytics/contract', 'test/erased-everywhere', 'auth/test/contract'],
  ...['test/crash/ingest', 'cli/index', 'change-worker/change-worker', 'cron/cron'],
]

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['./test/global-setup.ts'],
    pool: 'forks',
    // Files share their process: modules are read once, and ClickHouse starts once a process.
    isolate: false,
    sequence: { sequencer: longestFirst(longest) },
    // The engines need the other half of a small machine.
    maxWorkers: 2,
    testTimeout: 90_000,
    // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
    // What two busy cores made too late is tried once more, and `npm test` names it at its end.
    retry: 1,
  },
})
