import { createHash } from 'node:crypto'

/**
 * The console's Content-Security-Policy. The player's frames inherit it, and what they show was recorded by whoever knows
 * the application's public key: no script runs, and nothing is fetched from an origin that the operator's settings do not
 * name, however the recording asks for it. Styles may stand in the page, as recorded ones do.
 *
 * @param page         the console's `index.html`; the scripts that stand in it are allowed by their hashes
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

/** The texts of the scripts that stand in a page of our own build, to the letter: a browser hashes them as they are. */
const inlineScripts = (page: string): readonly string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
