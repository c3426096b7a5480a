/** The client of a request. */
export interface Client {
  readonly address: string
  readonly userAgent: string
  readonly cookieHeader: string | undefined
}

/** The part of a Fastify request that names its client. */
interface ClientRequest {
  /** Absent for a Unix socket. */
  readonly ip: string | undefined
  readonly headers: { readonly 'user-agent'?: string | undefined; readonly cookie?: string | undefined }
}

/** Reads the client of a request. */
export const clientOf = ({ ip, headers }: ClientRequest): Client => ({
  address: ip ?? 'this machine',
  userAgent: headers['user-agent'] ?? '',
  cookieHeader: headers.cookie,
})
