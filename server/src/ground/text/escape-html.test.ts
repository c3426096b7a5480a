import { expect, test } from 'vitest'
import { escapeHtml } from './escape-html.ts'

test('what would end a text or an attribute becomes a character reference', () => {
  expect(escapeHtml(`<a href="x" title='y'>1 + 1 & \0</a>`)).toBe(
    '&lt;a href=&#34;x&#34; title=&#39;y&#39;&gt;1 &#43; 1 &amp; \uFFFD&lt;/a&gt;',
  )
})
