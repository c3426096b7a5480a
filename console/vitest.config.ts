import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react({ compiler: true })],
  test: {
    environment: 'jsdom',
    // Files share their process and its document, which each test leaves empty: making these anew took two thirds of the time.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
    expect: { poll: { timeout: 30_000 } },
    // What two busy cores made too late is tried once more, and `npm test` names it at its end.
    retry: 1,
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    css: false,
  },
})
