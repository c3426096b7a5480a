import { defineConfig } from 'vitest/config'
import { useScratchFolder } from '../scripts/scratch.ts'

useScratchFolder()

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // Each file starts a whole product, some a browser besides: one at a time on a small machine.
    fileParallelism: false,
    testTimeout: 120_000,
    // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
  },
})
