import { defineConfig } from 'vitest/config'
import { useScratchFolder } from '../scripts/scratch.ts'

useScratchFolder()

const tests = {
  testTimeout: 120_000,
  // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
  expect: { poll: { timeout: 30_000 } },
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        // Products and pages wait for much of their time: two files share a small machine well.
        test: {
          ...tests,
          name: 'product',
          include: ['**/*.test.ts'],
          exclude: ['crash/**'],
          globalSetup: ['./support/shared-setup.ts'],
          maxWorkers: 2,
        },
      },
      {
        // Kills at random moments, and measures how soon the next start answers: alone.
        test: {
          ...tests,
          name: 'crash',
          include: ['crash/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
