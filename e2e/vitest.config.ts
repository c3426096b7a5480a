import { defineConfig } from 'vitest/config'
import { longestFirst } from '../scripts/longest-first.ts'
import { useScratchFolder } from '../scripts/scratch.ts'
import { isTrial } from './support/trials.ts'

useScratchFolder()

const tests = {
  testTimeout: 180_000,
  // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
  expect: { poll: { timeout: 30_000 } },
  hookTimeout: 120_000,
  // What two busy cores made too late is tried once more, and `npm test` names it at its end.
  retry: 1,
}

/** They start a product several times, or wait for hands in a browser. */
const longest = [
  'upgrade/other-postgres',
  'crash/backups',
  'upgrade/upgrade',
  'clients/recording-settings',
  'crash/root-key',
  'deploy/backup-page',
  'console/thread',
  'alerts',
  'console/erasure',
  'console/functions',
  'crash/backups-log',
  'console/heatmaps',
  'projects/projects',
  'console/connection',
  'console/charts',
  'console/events',
  'ssr/session',
  'crash/backup-bucket',
  'console/integrations',
  'console/capture-settings',
  'clients/posthog-versions',
  'console/storage',
  'console/storage-states',
  'console/live',
  'console/data',
  'console/deploy',
  'clients/counter',
  'e2e/product',
  'refused-start',
  'console/people',
  'console/recorded-assets',
  'console/web-vitals',
  'crash/workers',
  'console/disk-limits',
  'console/recording-settings',
  'crash/restore',
  'console/sample',
  'crash/uploads',
  'package-import',
]

/** Kills and full disks whose rooms have a short form among the server's tests: `npm run trials`. */
const trials = [
  'full-disk',
  'functions',
  'jobs',
  'large-uploads',
  'migrations',
  'realtime',
  'several-machines',
  'start-again',
]
const trialFiles = isTrial ? [] : trials.map((name) => `crash/${name}.test.ts`)

export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst(longest) },
    projects: [
      {
        // Products and pages wait for much of their time: two files share a small machine well.
        test: {
          ...tests,
          name: 'product',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', 'crash/kill.test.ts', ...trialFiles],
          globalSetup: ['./support/shared-setup.ts'],
          maxWorkers: 2,
          // Files share their process: clients and helpers are read once.
          isolate: false,
        },
      },
      {
        // What was answered 100 ms before a kill is held against what was stored: alone.
        test: {
          ...tests,
          name: 'kill',
          include: ['crash/kill.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
