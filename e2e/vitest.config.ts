import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { useScratchFolder } from '../scripts/scratch.ts'

useScratchFolder()

const tests = {
  testTimeout: 180_000,
  // Nothing is slow here, but a busy machine may be: what is waited for is not given up early.
  expect: { poll: { timeout: 30_000 } },
  hookTimeout: 120_000,
}

/** They start a product several times, or wait for hands in a browser. */
const longest = ['start-again', 'console/thread', 'product', 'production', 'refused-start', 'crash/jobs', 'ssr/session']

/** The longest files first, so that two that run at once end at about one time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
