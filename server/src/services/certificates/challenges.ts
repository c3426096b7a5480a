import { createServer, type RequestListener } from 'node:http'

const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/

/** The server that the authority asks, and that leads everybody else to HTTPS. */
export interface ChallengeServer {
  /** Has a challenge answered, by its token; no longer where the answer is null. */
  readonly answer: (token: string, answer: string | null) => void
  readonly close: () => Promise<void>
}

/**
 * Opens the port of challenges.
 *
 * @param origins where requests for a host name are led, `https://api.example.com`, by that name
 * @throws the system's error where the port cannot be had
 */
export async function openChallengeServer(
  { host, port }: { readonly host: string; readonly port: number },
  origins: ReadonlyMap<string, string>,
): Promise<ChallengeServer> {
  const answers = new Map<string, string>()
  const server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 10_000 })
  server.on('request', answerWith(answers, origins))
  // Not one of the ports that workers share.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, resolve)
  })
  return {
    answer: (token, answer) => void (answer === null ? answers.delete(token) : answers.set(token, answer)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What is asked of the port is a challenge, or led to the same address by HTTPS; other hosts are not known here. */
const answerWith =
  (answers: ReadonlyMap<string, string>, origins: ReadonlyMap<string, string>): RequestListener =>
  ({ url = '/', headers: { host = '' } }, reply) => {
    const [, token = ''] = challengePath.exec(url) ?? []
    const answer = answers.get(token)
    const origin = origins.get(host.replace(/:\d+$/, '').toLowerCase())
    if (answer !== undefined) reply.writeHead(200, { 'content-type': 'application/octet-stream' }).end(answer)
    else if (token !== '' || origin === undefined) reply.writeHead(404).end()
    else reply.writeHead(308, { location: `${origin}${url.startsWith('/') ? url : '/'}` }).end()
  }
