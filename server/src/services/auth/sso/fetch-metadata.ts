import type { Outbound } from '../../../engines/outbound/index.ts'
import { authError } from '../model/errors.ts'
import type { FetchMetadata, ReadMetadata } from './deps.ts'
import { ssoError } from './errors.ts'
import { parseMetadata } from './saml/metadata.ts'

/** The reader of metadata; `outbound` reaches public addresses only, for administrators choose where it goes. */
export function createFetchMetadata(outbound: Outbound): FetchMetadata {
  return async (url) => readMetadataXml(await download(outbound, url))
}

async function download(outbound: Outbound, url: string): Promise<string> {
  const failed = (why: string, cause?: unknown): Error =>
    ssoError('saml_metadata_fetch_failed', { message: `${why} fetching SAML Metadata from URL '${url}'`, cause })
  const response = await outbound(url, { headers: { accept: 'application/xml;charset=UTF-8' } }).catch(
    (cause: unknown) => {
      throw failed('Error', cause)
    },
  )
  if (response.status !== 200) throw failed(`HTTP ${response.status} error`)
  return response.text()
}

/** Reads metadata of a call, or fetched. @throws validation_failed */
export function readMetadataXml(xml: string): ReadMetadata {
  try {
    return { xml, metadata: parseMetadata(xml) }
  } catch (cause) {
    throw authError('validation_failed', { message: cause instanceof Error ? cause.message : 'SAML Metadata', cause })
  }
}
