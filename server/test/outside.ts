import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** A call that somebody of the outside world received. */
export interface OutsideCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What is answered to a call: JSON, or whatever a function makes of the call. */
export type OutsideAnswer = object | ((call: OutsideCall) => OutsideReply | Promise<OutsideReply>)

export interface OutsideReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | object
}

/** A server of somebody else, on a port of its own; it issues ID tokens, too. */
export interface Outside {
  readonly url: string
  /** Calls that came, newest last. */
  readonly calls: readonly OutsideCall[]
  /** Answers by path, without the query. */
  readonly answers: Map<string, OutsideAnswer>
  /** Signs an ID token of an issuer whose metadata this server has. */
  readonly sign: (
    claims: JWTPayload,
    options?: { readonly issuer?: string; readonly kid?: string; readonly lifetime?: string },
  ) => Promise<string>
  /** Describes an issuer below this server's address (`''`, `/v2.0`), with the keys that sign. */
  readonly describeIssuer: (path: string, extra?: object) => void
  close(): void
}

/** Starts it. */
export async function startOutside(): Promise<Outside> {
  const calls: OutsideCall[] = []
  const answers = new Map<string, OutsideAnswer>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body: Buffer.concat(chunks).toString() }
    calls.push(call)
    const answer = answers.get(path.split('?', 1)[0] ?? '')
    const reply: OutsideReply =
      answer === undefined
        ? { status: 404, body: { error: 'not_found' } }
        : typeof answer === 'function'
          ? await answer(call)
          : { body: answer }
    const isText = typeof reply.body === 'string'
    response
      .writeHead(reply.status ?? 200, { 'content-type': isText ? 'text/plain' : 'application/json', ...reply.headers })
      .end(isText ? reply.body : JSON.stringify(reply.body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  answers.set('/jwks', { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }] })
  return {
    url,
    calls,
    answers,
    sign: (claims, { issuer = url, kid = 'one', lifetime = '5m' } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(privateKey),
    describeIssuer: (path, extra = {}) =>
      void answers.set(`${path}/.well-known/openid-configuration`, {
        issuer: `${url}${path}`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...extra,
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
