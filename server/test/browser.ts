/** What a browser does with redirects and cookies, as far as a sign-in needs it. */
export interface TestBrowser {
  /** Follows redirects until one leads to `stopAt`, and answers that address. */
  follow(url: string, stopAt: string): Promise<URL>
  /** One request without following. */
  get(url: string): Promise<Response>
}

const mostRedirects = 20

/** A browser with cookies of its own. */
export function openBrowser(): TestBrowser {
  const jars = new Map<string, Map<string, string>>()
  const get = async (url: string): Promise<Response> => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  return {
    get,
    async follow(url, stopAt) {
      let next = url
      for (let hops = 0; hops < mostRedirects; hops++) {
        if (next.startsWith(stopAt)) return new URL(next)
        const response = await get(next)
        const location = response.headers.get('location')
        if (location === null) throw new Error(`${next} answered ${response.status}: ${await response.text()}`)
        next = new URL(location, next).href
      }
      throw new Error('There were too many redirects.')
    },
  }
}
