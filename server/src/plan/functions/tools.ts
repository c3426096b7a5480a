import type { ToolsDeps } from '../../services/functions/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { Addresses } from '../addresses.ts'
import type { ComposeInput } from '../instance.ts'
import { planOwnAddress } from '../net.ts'
import { planConsumers } from './consumers.ts'

const mib = 1024 * 1024

/** What the console's tools for functions take of the instance. */
export function planFunctionTools(
  { settings, keys, folders }: Pick<ComposeInput, 'settings' | 'keys' | 'folders'>,
  addresses: Addresses,
): Omit<ToolsDeps, 'sql' | 'now'> {
  const { instance, functions } = settings
  return {
    own: planOwnAddress(settings, addresses),
    timeoutMs: functions.headSeconds * 1000,
    maxBodyBytes: mib,
    elapsedMs: () => performance.now(),
    keys: () => ({ ...keys.api, tokens: keys.tokens }),
    project: instance.project ?? folders.data,
    each: functions.each,
    saves: !instance.production && instance.project !== null,
    triggersOf: (name) => triggersOf(settings, name),
  }
}

function triggersOf(settings: Settings, name: string): ReturnType<ToolsDeps['triggersOf']> {
  const consumer = planConsumers(settings).find(({ functionName }) => functionName === name)
  const leadsHere = new RegExp(`/functions/v1/${name}(?:[/?]|$)`)
  return {
    queue:
      consumer === undefined
        ? null
        : {
            name: consumer.queue,
            attempts: consumer.attempts,
            backoffMs: consumer.backoffMs,
            concurrency: consumer.concurrency,
            timeoutSeconds: consumer.timeoutMs / 1000,
          },
    hooks: Object.entries(settings.auth).flatMap(([setting, value]) => {
      const hook = /^hook(\w+)Uri$/.exec(setting)?.[1]
      return hook !== undefined && typeof value === 'string' && leadsHere.test(value)
        ? [hook.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()]
        : []
    }),
  }
}
