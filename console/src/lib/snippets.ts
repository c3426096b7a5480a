import type { Instance } from './api/schemas.ts'

/** A piece of code to paste, with this instance's own address and keys. */
export interface Snippet {
  readonly title: string
  readonly install: string
  readonly code: string
}

/** What an application needs: its backend, its analytics with the thread between them, and sign-in on a server. */
export function renderSnippets({ apiUrl, publishableKey, ingestToken, hostname }: Instance): {
  readonly supabase: Snippet
  readonly posthog: Snippet
  readonly ssr: Snippet
} {
  return {
    supabase: {
      title: 'Backend',
      install: 'npm install @supabase/supabase-js',
      code: `import { createClient } from '@supabase/supabase-js'

export const supabase = createClient(
  '${apiUrl}',
  '${publishableKey}',
)`,
    },
    posthog: {
      title: 'Analytics, recordings and the thread',
      install: 'npm install posthog-js',
      code: `import posthog from 'posthog-js'

posthog.init('${ingestToken}', {
  api_host: '${apiUrl}/ingest',
  // Ties every backend call to the click that made it.
  tracing_headers: ['${hostname}'],
})`,
    },
    ssr: {
      title: 'Signed in on a server, too (optional)',
      install: 'npm install @supabase/ssr',
      code: `import { createServerClient } from '@supabase/ssr'

export const supabaseOf = (cookies) =>
  createServerClient(
    '${apiUrl}',
    '${publishableKey}',
    { cookies }, // getAll and setAll of your framework
  )`,
    },
  }
}
