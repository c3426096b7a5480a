import { startProduct } from '../e2e/support/product.ts'
import { compare } from './compare.ts'
import { kindsOf } from './rest.ts'

const measured: ReadonlySet<string> = new Set([
  'REST read by key',
  'REST list of 100 rows',
  'REST insert returning the row',
])

/** REST's rate with two workers beside its rate in one process; each instance has its own data directory. */
export async function measureWorkers(project: string): Promise<void> {
  const one = await startProduct({ project })
  try {
    const two = await startProduct({ project, args: ['--workers', '2'] })
    try {
      const [portOfOne, portOfTwo] = [one, two].map(({ apiUrl }) => Number(new URL(apiUrl).port))
      for (const { metric, clew } of kindsOf(two))
        if (measured.has(metric))
          await compare(
            `${metric}, two workers beside one process, requests`,
            { clew: portOfTwo ?? 0, floor: portOfOne ?? 0 },
            { clew, floor: clew },
          )
    } finally {
      await two.close()
    }
  } finally {
    await one.close()
  }
}
