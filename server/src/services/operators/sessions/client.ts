/** The client of a request. */
export interface Client {
  readonly address: string
  readonly userAgent: string
  readonly cookieHeader: string | undefined
}

/** The part of a Fastify request that names its client. */
interface ClientRequest {
  readonly ip: string
  readonly headers: { readonly 'user-agent'?: string | undefined; readonly cookie?: string | undefined }
}

/** Reads the client of a request. */
export const clientOf = ({ ip, headers }: ClientRequest): Client => ({
  address: ip,
  userAgent: headers['user-agent'] ?? '',
  cookieHeader: headers.cookie,
})
