import { setTimeout as delay } from 'node:timers/promises'
import type { Reading } from './decide.ts'
import type { RuleId } from './rules.ts'

type Measures = Readonly<Record<RuleId, () => Promise<readonly Reading[]>>>

/**
 * Reads what a rule is about within a limit: an engine that hangs, which an alert may be about, holds up no other alert. What is
 * late is not asked again before it has answered.
 *
 * @returns rejects with what the measure does, or when it is late
 */
export function createReading(measures: Measures, limitMs: number): (id: RuleId) => Promise<readonly Reading[]> {
  const underWay = new Map<RuleId, Promise<readonly Reading[]>>()
  const begin = (id: RuleId): Promise<readonly Reading[]> => {
    const reading = measures[id]().finally(() => underWay.delete(id))
    underWay.set(id, reading)
    return reading
  }
  return async (id) => {
    const inTime = new AbortController()
    const late = delay(limitMs, null, { signal: inTime.signal, ref: false }).then(() => {
      throw new Error(`It was not read within ${limitMs} ms.`)
    })
    try {
      return await Promise.race([underWay.get(id) ?? begin(id), late])
    } finally {
      inTime.abort()
    }
  }
}
