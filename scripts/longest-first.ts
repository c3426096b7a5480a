import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A sequencer of test files that begins with those named, in their order: workers that share the files end at about one
 * time. Without durations of an earlier run Vitest goes by the files' sizes, which say little of how long they take.
 *
 * @param names ends of the files' paths, without `.test.ts`
 */
export function longestFirst(names: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification): number => {
    const place = names.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
    return place === -1 ? names.length : place
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    }
  }
}
