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
  // On two cores that run all tests at once a page may wait for more than a minute; the report tells of a second try.
  retry: 1,
}

/** They start a product several times, or wait for hands in a browser. */
const longest = [
  'console/storage-states',
  'console/functions',
  'console/integrations',
  'projects/projects',
  'console/thread',
  'console/deploy',
  'e2e/product',
  'package-import',
  'production',
  'console/people',
  'ssr/session',
  'refused-start',
  'console/realtime',
  'clients/counter',
  'console/live',
  'crash/uploads',
  'crash/workers',
  'clients/recording-settings',
  'console/recorded-assets',
  'console/sample',
  'console/access',
  'crash/work-of-sql',
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
