import { certificateFolder, certificatesService } from '../../services/certificates/index.ts'
import type { Settings } from '../../settings/index.ts'
import { busService } from '../bus.ts'
import type { ComposeInput } from '../instance.ts'
import type { Add, Engines, Shared } from '../shared.ts'

/** The advisory lock of the worker that renews the certificate: `cl` and `tls` in ASCII, shortened. */
const lockKey = 0x636c_746c

/** The origins of an instance whose names a certificate by ACME is for; null where none is obtained. */
const acmeOrigins = ({ acme, instance: { publicUrl, consoleUrl } }: Settings): readonly string[] | null =>
  acme.enabled ? [publicUrl, consoleUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin])) : null

/** The host names of that certificate. */
export const acmeNames = (settings: Settings): readonly string[] | null =>
  acmeOrigins(settings)?.map((origin) => new URL(origin).hostname) ?? null

/** What joins and opens the processes: their bus, and the renewal of the certificate by one of them, where it is obtained by ACME. */
export function addReach(
  add: Add,
  { settings, folders, worker }: Pick<ComposeInput, 'settings' | 'folders' | 'worker'>,
  { postgres: { commands }, bus }: Pick<Engines, 'postgres' | 'bus'>,
  { now, log }: Pick<Shared, 'now' | 'log'>,
): void {
  add(busService(bus))
  const origins = acmeOrigins(settings)
  if (origins === null) return
  const service = certificatesService({
    ...{
      folder: certificateFolder(folders.data),
      host: settings.instance.host,
      origins,
      settings: settings.acme,
      now,
      log,
    },
    lead: async ({ begin, end }) => {
      if (worker !== null && commands !== null) return commands.hold(lockKey, { onHeld: begin, onLost: end })
      if (worker?.isFirst ?? true) begin()
      return async () => undefined
    },
  })
  add(service)
}
