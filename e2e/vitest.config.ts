import { defineConfig } from 'vitest/config'
import { longestFirst } from '../scripts/longest-first.ts'
import { useScratchFolder } from '../scripts/scratch.ts'

useScratchFolder()

const tests = {
  testTimeout: 180_000,
  // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
  expect: { poll: { timeout: 30_000 } },
  hookTimeout: 120_000,
}

/** They start a product several times, or wait for hands in a browser. */
const longest = [
  'console/integrations',
  'console/functions',
  'projects/projects',
  'projects/function-kinds',
  'e2e/product',
  'crash/work-of-sql',
  'console/sample',
  'crash/jobs',
  'crash/start-again',
  'refused-start',
  'crash/full-disk',
  'console/access',
  'ssr/session',
]

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
          exclude: ['crash/kill.test.ts'],
          globalSetup: ['./support/shared-setup.ts'],
          maxWorkers: 2,
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
