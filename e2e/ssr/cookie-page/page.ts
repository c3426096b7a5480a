import { createBrowserClient } from '../../../examples/ssr/node_modules/@supabase/ssr/dist/main/index.js'
import { type Form, forms } from './forms.ts'

const query = new URLSearchParams(location.search)
const { cookieEncoding, encode } = forms[query.get('form') as Form]

/** The official client of a page, with the session in cookies of the form that is asked for. */
const client = createBrowserClient(query.get('url') ?? '', query.get('key') ?? '', {
  cookieEncoding,
  cookies: { encode },
})

client.auth.onAuthStateChange((event, session) => {
  const output = document.querySelector('output')
  if (output !== null) output.textContent = `${event} ${session === null ? 'nobody' : 'somebody'}`
})
Object.assign(window, { client })
