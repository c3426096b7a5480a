import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SupabaseClient } from '@supabase/supabase-js'
import type pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openSharedBrowser, type SharedProduct, servePublic, sharedPages } from '../support/shared.ts'
import { inDatabase } from '../support/ticks.ts'

const library = join(dirname(createRequire(import.meta.url).resolve('@supabase/supabase-js')), 'umd', 'supabase.js')
const password = 'three oat biscuits'

/** An application that writes down each event of the client, and whom it was about. */
const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Tabs</title></head>
<body>
<script src="/supabase.js"></script>
<script>
window.events = []
const flowType = localStorage.getItem('flow') ?? 'implicit'
window.client = supabase.createClient(window.apiUrl ?? location.origin, window.publishableKey, { auth: { flowType } })
client.auth.onAuthStateChange((event, session) => events.push(event + ' ' + (session?.user.email ?? 'nobody')))
</script>
</body>
</html>`

interface HeardWindow {
  readonly heard: { readonly fell: readonly string[]; readonly rows: readonly number[]; readonly joins: number }
}

/** Passes connections on to a port of this machine, until they are cut. */
async function openCable(to: number) {
  const ends = new Set<Socket>()
  const server = createServer((from) => {
    const onward = connect(to, '127.0.0.1')
    for (const end of [from, onward]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => ends.delete(end))
    }
    pipeline(from, onward, from).catch(() => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const end of ends) end.destroy()
  }
  const { port } = server.address() as AddressInfo
  return {
    port,
    cut,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}

interface PageWindow {
  readonly client: SupabaseClient
  readonly events: string[]
}

describe('the official client in tabs that share a session', () => {
  let product: SharedProduct
  let browser: Browser
  let site: string
  const context = async (flow: 'implicit' | 'pkce'): Promise<BrowserContext> => {
    const visitor = await browser.newContext()
    await visitor.addInitScript(
      ({ key, flowType }) => {
        Object.assign(window, { publishableKey: key })
        if (location.origin !== 'null') localStorage.setItem('flow', flowType)
      },
      { key: product.publishableKey, flowType: flow },
    )
    return visitor
  }
  const open = async (visitor: BrowserContext, path = '/'): Promise<Page> => {
    const page = await visitor.newPage()
    await page.goto(new URL(path, site).href)
    return page
  }
  const hears = (page: Page, event: string) =>
    expect
      .poll(() => page.evaluate(() => (window as unknown as PageWindow).events))
      .toContainEqual(expect.stringContaining(event))
  const whoIs = (page: Page) =>
    page.evaluate(async () => {
      const { data, error } = await (window as unknown as PageWindow).client.auth.getUser()
      return data.user?.email ?? error?.name
    })
  const signUp = (page: Page, email: string) =>
    page.evaluate((person) => (window as unknown as PageWindow).client.auth.signUp(person), { email, password })
  /** Where the newest mail to somebody leads. */
  const linkTo = async (email: string): Promise<string> => {
    const list = await (await fetch(`${product.inboxUrl}/api/v1/search?query=to:${email}`)).json()
    const mail = await (await fetch(`${product.inboxUrl}/api/v1/message/${list.messages[0].ID}`)).json()
    return /http\S+\/verify\S+/.exec(mail.Text)?.[0] ?? ''
  }

  beforeAll(async () => {
    const pages = await sharedPages()
    product = pages
    await servePublic(pages, 'supabase.js', await readFile(library))
    // Where the links of mails lead: the site's address.
    site = await servePublic(pages, 'index.html', html)
    browser = await openSharedBrowser()
  })
  afterAll(async () => {
    await browser?.close()
  })

  test('signing in and out in one is signing in and out in all', async () => {
    const visitor = await context('implicit')
    const tabs = [await open(visitor), await open(visitor), await open(visitor)] as const
    expect((await signUp(tabs[0], 'ann@example.com')).error).toBeNull()
    for (const tab of tabs) await hears(tab, 'SIGNED_IN ann@example.com')
    for (const tab of tabs) expect(await whoIs(tab)).toBe('ann@example.com')
    await tabs[1].evaluate(() => (window as unknown as PageWindow).client.auth.signOut())
    for (const tab of tabs) await hears(tab, 'SIGNED_OUT nobody')
    for (const tab of tabs) expect(await whoIs(tab)).toBe('AuthSessionMissingError')
    await visitor.close()
  })

  test('tabs that all renew the session at the same moment all keep it', async () => {
    const visitor = await context('implicit')
    const first = await open(visitor)
    await signUp(first, 'bob@example.com')
    const tabs = [first, ...(await Promise.all(Array.from({ length: 5 }, () => open(visitor))))]
    for (let round = 0; round < 4; round += 1) {
      const renewed = tabs.map((tab) =>
        tab.evaluate(async () => {
          const { error } = await (window as unknown as PageWindow).client.auth.refreshSession()
          // Another tab was first, and what it stored is good.
          return error === null || error.name === 'AuthRefreshDiscardedError'
            ? 'kept'
            : `${error.name} ${error.message}`
        }),
      )
      expect(new Set(await Promise.all(renewed))).toEqual(new Set(['kept']))
    }
    for (const tab of tabs) {
      expect(await whoIs(tab)).toBe('bob@example.com')
      expect(await tab.evaluate(() => (window as unknown as PageWindow).events.join())).not.toContain('SIGNED_OUT')
    }
    await visitor.close()
  })

  test.each(['implicit', 'pkce'] as const)('the links of mails lead back into the application (%s)', async (flow) => {
    const email = `${flow}@example.com`
    const visitor = await context(flow)
    const page = await open(visitor)
    await signUp(page, email)
    await page.evaluate(() => (window as unknown as PageWindow).client.auth.signOut())

    await page.evaluate(
      (address) => (window as unknown as PageWindow).client.auth.signInWithOtp({ email: address }),
      email,
    )
    const link = await linkTo(email)
    await page.goto(link)
    await hears(page, `SIGNED_IN ${email}`)
    await page.waitForURL((url) => !url.searchParams.has('code') && !url.hash.includes('access_token'))
    expect(await whoIs(page)).toBe(email)

    // A link is good once; who is signed in stays so.
    await page.goto(link)
    const again = await page.evaluate(() => (window as unknown as PageWindow).client.auth.initialize())
    expect(again.error?.message).toBe('Email link is invalid or has expired')
    expect(await whoIs(page)).toBe(email)

    await page.goto(site)
    await page.evaluate(
      (address) => (window as unknown as PageWindow).client.auth.resetPasswordForEmail(address),
      email,
    )
    await page.goto(await linkTo(email))
    await hears(page, `PASSWORD_RECOVERY ${email}`)
    const changed = await page.evaluate(() =>
      (window as unknown as PageWindow).client.auth.updateUser({ password: 'four oat biscuits' }),
    )
    expect(changed.error).toBeNull()
    await hears(page, `USER_UPDATED ${email}`)
    await visitor.close()
  })

  test('a page that was frozen while its connection ended, and whose clock jumps, misses no stored message', async () => {
    const notify = (database: pg.Client, ...marks: readonly number[]) =>
      database.query(
        `with rows as (insert into public.frost select unnest($1::int[]) returning n)
         select realtime.send(jsonb_build_object('n', n), 'fell', 'frost', true) from rows order by n`,
        [marks],
      )
    const { port, cut, close } = await openCable(Number(new URL(product.apiUrl).port))
    onTestFinished(async () => void (await close()))
    const visitor = await context('implicit')
    await visitor.addInitScript((apiUrl) => Object.assign(window, { apiUrl }), `http://127.0.0.1:${port}`)
    const page = await visitor.newPage()
    await page.clock.install()
    await inDatabase(product, async (database) => {
      await database.query(`
        create table public.frost (n int primary key);
        alter publication supabase_realtime add table public.frost;
        grant all on public.frost to anon;
        grant usage on schema realtime to anon;
        create policy frost on realtime.messages for select to anon using (realtime.topic() = 'frost')`)
      await page.goto(site)
      await page.evaluate(() => {
        const { client } = window as unknown as PageWindow
        const heard = { fell: [] as string[], rows: [] as number[], joins: 0 }
        Object.assign(window, { heard })
        const broadcast = { replay: { since: Date.now(), limit: 25 } }
        client
          .channel('frost', { config: { private: true, broadcast } })
          .on('broadcast', { event: 'fell' }, ({ payload, meta }) => {
            heard.fell.push(`${payload.n} ${meta?.replayed === true ? 'replayed' : 'live'}`)
          })
          .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'frost' }, ({ new: row }) => {
            heard.rows.push(row.n)
          })
          .on('system', {}, ({ status }) => {
            if (status === 'ok') heard.joins += 1
          })
          .subscribe()
      })
      const heard = () => page.evaluate(() => (window as unknown as HeardWindow).heard)
      await expect.poll(heard).toMatchObject({ joins: 1 })
      await notify(database, 1, 2)
      await expect.poll(heard).toMatchObject({ fell: ['1 live', '2 live'], rows: [1, 2] })

      const devTools = await visitor.newCDPSession(page)
      await devTools.send('Page.setWebLifecycleState', { state: 'frozen' })
      await notify(database, 3)
      cut()
      await notify(database, 4)
      await devTools.send('Page.setWebLifecycleState', { state: 'active' })
      await page.clock.fastForward('02:00:00')
      await expect.poll(heard).toMatchObject({ joins: 2 })
      await notify(database, 5)
      // What a join asks for again says so; each comes once a join, and a row never again.
      const again = ['1 replayed', '2 replayed', '3 replayed', '4 replayed', '5 live']
      await expect
        .poll(async () => (await heard()).fell.filter((message) => message !== '3 live'))
        .toEqual(['1 live', '2 live', ...again])
      await expect.poll(async () => (await heard()).rows.filter((n) => n !== 3)).toEqual([1, 2, 5])
      expect((await heard()).rows.filter((n) => n === 3).length).toBeLessThan(2)
    })
    await visitor.close()
  })

  test('an anonymous visitor becomes a lasting user, and stays who they are', async () => {
    const visitor = await context('implicit')
    const page = await open(visitor)
    const { data } = await page.evaluate(() => (window as unknown as PageWindow).client.auth.signInAnonymously())
    expect(data.user).toMatchObject({ is_anonymous: true, id: expect.any(String) })
    const email = 'carol@example.com'
    await page.evaluate(
      (address) => (window as unknown as PageWindow).client.auth.updateUser({ email: address }),
      email,
    )
    // Where addresses are not confirmed the change holds at once; the token says so from the next one on.
    await hears(page, `USER_UPDATED ${email}`)
    const { data: now } = await page.evaluate(async () => {
      const { auth } = (window as unknown as PageWindow).client
      await auth.refreshSession()
      return auth.getClaims()
    })
    expect(now?.claims).toMatchObject({ sub: data.user?.id, email, is_anonymous: false })
    await visitor.close()
  })
})
