/** A piece of code to paste, with an instance's own address and keys. */
export interface Snippet {
  readonly title: string
  /** What is installed first; null where nothing is. */
  readonly install: string | null
  readonly code: string
}

/** What an application needs: its backend, its analytics with the thread between them, and sign-in on a server. */
export interface Snippets {
  readonly supabase: Snippet
  readonly posthog: Snippet
  readonly ssr: Snippet
  /** Backend and analytics for a page without a bundler. */
  readonly html: Snippet
}

export interface SnippetFacts {
  readonly apiUrl: string
  readonly publishableKey: string
  readonly ingestToken: string
  /** Where analytics is served: `/ingest`, or the name of a setting. */
  readonly ingestPath: string
}

/** The code of both clients, unmodified, as their own documentation has it. */
export function renderSnippets({ apiUrl, publishableKey, ingestToken, ingestPath }: SnippetFacts): Snippets {
  const { hostname } = new URL(apiUrl)
  const apiHost = `${apiUrl}${ingestPath}`
  const init = `posthog.init('${ingestToken}', {
  api_host: '${apiHost}',
  // Ties every backend call to the click that made it.
  tracing_headers: ['${hostname}'],
})`
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
      code: `import posthog from 'posthog-js'\n\n${init}`,
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
    html: {
      title: 'Or both on a page without a bundler',
      install: null,
      code: `<script src="${apiHost}/array/${ingestToken}/array.js"></script>
<script src="https://cdn.jsdelivr.net/npm/@supabase/supabase-js@2"></script>
<script>
${init.replaceAll(/^/gm, '  ')}
  const client = supabase.createClient('${apiUrl}', '${publishableKey}')
</script>`,
    },
  }
}
