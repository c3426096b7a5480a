import { createHash } from 'node:crypto'

/**
 * The console's Content-Security-Policy. The player's frames inherit it, and anyone with the application's public key can
 * record: no script of a recording runs, and nothing is fetched from origins that the settings do not name. Inline styles
 * are allowed, since recordings have them.
 *
 * @param page         the console's `index.html`; its inline scripts are allowed by their hashes
 * @param assetOrigins origins of pictures, fonts, media and style sheets in recordings, as CSP names hosts
 * @see https://www.w3.org/TR/CSP3/
 */
export function contentPolicy(page: string, assetOrigins: readonly string[]): string {
  const assets = ["'self'", 'data:', 'blob:', ...assetOrigins]
  const directives: readonly (readonly [name: string, ...sources: string[]])[] = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...inlineScripts(page).map(hashOf)],
    ['connect-src', "'self'"],
    ['style-src', "'self'", "'unsafe-inline'", ...assetOrigins],
    ['img-src', ...assets],
    ['font-src', ...assets],
    ['media-src', ...assets],
    ['frame-src', "'none'"],
    ['object-src', "'none'"],
    ['base-uri', "'none'"],
    ['form-action', "'self'"],
    ['frame-ancestors', "'none'"],
  ]
  return directives.map((directive) => directive.join(' ')).join('; ')
}

/** The exact texts of a page's inline scripts, of which browsers compute hashes. */
const inlineScripts = (page: string): readonly string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
