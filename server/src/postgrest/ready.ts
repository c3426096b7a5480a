import type { ReferenceSettings } from '../services/rest/index.ts'
import { isAnyHost } from './listen.ts'

/** What asking a running server's admin server came to, in words. */
export interface Readiness {
  readonly isReady: boolean
  readonly message: string
}

const failed = (message: string): Readiness => ({ isReady: false, message: `ERROR: ${message}` })

/** Asks a running server whether it is ready. */
export async function askReady(settings: ReferenceSettings): Promise<Readiness> {
  const { serverHost: main, adminServerHost: host, adminServerPort: port } = settings
  if (port === null) return failed('Admin server is not running. Please check admin-server-port config.')
  if (isAnyHost(host)) {
    return failed(
      `The \`--ready\` flag cannot be used when server-host is configured as "${main}". Please update your server-host config to "localhost".`,
    )
  }
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/ready`
  if (!URL.canParse(url)) return failed(`invalid url - ${url}`)
  try {
    const { status, statusText } = await fetch(url)
    return status === 200 ? { isReady: true, message: `OK: ${url}` } : failed(`${url} answered ${status} ${statusText}`)
  } catch {
    return failed(`connection refused to ${url}`)
  }
}
