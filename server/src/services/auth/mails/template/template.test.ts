import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderHtml, renderPlain } from './evaluate.ts'
import { parseTemplate, TemplateError } from './parse.ts'

const data = {
  Email: 'ann@example.com',
  Token: '123456',
  SiteURL: 'https://app.example',
  Empty: '',
  Data: { name: "Ann <b>O'Hara</b>", age: 30, vip: true, tags: ['a', 'b'], nested: { x: { y: 'deep' } }, zero: 0 },
}

// text/template and html/template of Go, as far as mails use them (auth §22).
test.for([
  ['plain text', 'a } b { c', 'a } b { c'],
  ['a value', '{{ .Token }}', '123456'],
  ['a value without spaces', '{{.Token}}', '123456'],
  ['a path', '{{ .Data.nested.x.y }}', 'deep'],
  ['a path through nothing', '[{{ .Data.none.x.y }}]', '[]'],
  ['what is not there', '[{{ .Nothing }}]', '[]'],
  ['nothing of a prototype', '[{{ .constructor }}{{ .Data.__proto__ }}{{ .Data.tags.length }}]', '[]'],
  ['numbers and truth', '{{ .Data.age }} {{ .Data.vip }}', '30 true'],
  ['a list and an object as Go prints them', '{{ .Data.tags }} {{ .Data.nested }}', '[a b] map[x:map[y:deep]]'],
  ['HTML in data', '{{ .Data.name }}', 'Ann &lt;b&gt;O&#39;Hara&lt;/b&gt;'],
  ['if', '{{ if .Data.vip }}yes{{ end }}{{ if .Empty }}no{{ end }}', 'yes'],
  ['else', '{{ if .Data.none }}a{{ else }}b{{ end }}', 'b'],
  ['else if', '{{ if eq .Data.age 1 }}a{{ else if eq .Data.age 30 }}b{{ else }}c{{ end }}', 'b'],
  ['else if without any', '{{ if false }}a{{ else if false }}b{{ end }}|', '|'],
  ['zero and empty are false', '{{ if .Data.zero }}a{{ else if .Empty }}b{{ else }}c{{ end }}', 'c'],
  ['eq with several', '{{ if eq .Token "1" "123456" }}a{{ end }}', 'a'],
  ['ne, lt, gt', '{{ ne .Token "1" }} {{ lt .Data.age 31 }} {{ ge .Data.age 31 }}', 'true true false'],
  ['and, or, not', '{{ and .Token .Data.age }} {{ or .Empty "b" }} {{ not .Empty }}', '30 b true'],
  ['brackets', '{{ if and (eq .Data.age 30) (not .Empty) }}a{{ end }}', 'a'],
  ['a field of brackets', '{{ (index .Data "nested").x.y }}', 'deep'],
  ['range', '{{ range .Data.tags }}<{{ . }}>{{ end }}', '<a><b>'],
  ['range with its index', '{{ range $i, $t := .Data.tags }}{{ $i }}={{ $t }} {{ end }}', '0=a 1=b '],
  ['range over nothing', '{{ range .Data.none }}a{{ else }}none{{ end }}', 'none'],
  ['the whole data inside a range', '{{ range .Data.tags }}{{ $.Token }},{{ end }}', '123456,123456,'],
  ['with', '{{ with .Data.nested }}{{ .x.y }}{{ end }}', 'deep'],
  ['with and else', '{{ with .Data.none }}a{{ else }}{{ .Token }}{{ end }}', '123456'],
  ['a variable', '{{ $n := .Token }}{{ if true }}{{ $n = "x" }}{{ end }}{{ $n }}', 'x'],
  ['a pipe', '{{ .Token | printf "%s-%s" "a" }}', 'a-123456'],
  ['printf', '{{ printf "%d%% %q" 5 "a" }}', '5% &#34;a&#34;'],
  ['len and index', '{{ len .Data.tags }} {{ index .Data.tags 1 }} {{ index .Data.tags 9 }}', '2 b '],
  ['trimming', 'a  {{- " b " -}}  c', 'a b c'],
  ['a comment', 'a{{/* {{ .Token }} "quote */}}b{{- /* x */ -}} c', 'abc'],
  ['braces in a text', '{{ "}}" }}', '}}'],
] as const)('%s', ([, source, rendered]) => {
  expect(renderHtml(parseTemplate(source), data)).toBe(rendered)
})

test.for([
  ['an address', '<a href="{{ .V }}">', 'https://a.example/x?y=1&z="', '<a href="https://a.example/x?y=1&amp;z=%22">'],
  ['a script as an address', '<a href="{{ .V }}">', ' javascript:alert(1)', '<a href="#ZgotmplZ">'],
  ['data as an address', "<img src='{{ .V }}'>", 'data:text/html,x', "<img src='#ZgotmplZ'>"],
  [
    'one parameter',
    '<a href="https://a.example?n={{ .V }}&m=1">',
    'a&b=c#d',
    '<a href="https://a.example?n=a%26b%3Dc%23d&m=1">',
  ],
  ['a quote in an attribute', '<p title="{{ .V }}">', '" onclick="x', '<p title="&#34; onclick=&#34;x">'],
  ['no quotes', '<p title={{ .V }}>', 'a onclick=x', '<p title=ZgotmplZ>'],
  ['a tag', '<p {{ .V }}>', 'onclick=x', '<p ZgotmplZ>'],
  ['a handler', '<p onclick="{{ .V }}">', 'x()', '<p onclick="ZgotmplZ">'],
  ['a script', '<script>{{ .V }}</script>{{ .V }}', 'x<', '<script>ZgotmplZ</script>x&lt;'],
  ['a style', '<p style="color:{{ .V }}">', 'red;background:url(x)', '<p style="color:ZgotmplZ">'],
  ['a harmless style', '<p style="color:{{ .V }}">', '#fff', '<p style="color:#fff">'],
  ['a comment', '<!-- {{ .V }} -->{{ .V }}', '--><b>', '<!--  -->--&gt;&lt;b&gt;'],
  ['after a value with a >', '<a title="a>b" href="{{ .V }}">', 'javascript:x', '<a title="a>b" href="#ZgotmplZ">'],
] as const)('a value in %s is made harmless there', ([, source, V, rendered]) => {
  expect(renderHtml(parseTemplate(source), { V })).toBe(rendered)
})

test.for([
  '{{ .Token',
  '{{ }}',
  '{{ if .A }}',
  '{{ end }}',
  '{{ else }}',
  '{{ if .A }}{{ else }}{{ else }}{{ end }}',
  '{{ nothing .A }}',
  '{{ template "x" }}',
  '{{ define "x" }}{{ end }}',
  '{{ .A | .B }}',
  '{{ (.A }}',
  '{{ "a }}',
  '{{ .A .B }}',
  `${'{{ if .A }}'.repeat(200)}${'{{ end }}'.repeat(200)}`,
  `{{ ${'('.repeat(200)}.A${')'.repeat(200)} }}`,
])('%s is no template', (source) => {
  expect(() => parseTemplate(source)).toThrow(TemplateError)
})

test('an unclosed action full of quotes is rejected at once', () => {
  const started = performance.now()
  expect(() => parseTemplate(`{{ ${'"a" '.repeat(5000)}`)).toThrow(TemplateError)
  expect(performance.now() - started).toBeLessThan(5000)
})

test('a user’s own data cannot make a mail of any size', () => {
  const list = Array.from({ length: 1000 }, () => 'x')
  const template = parseTemplate('{{ range .D }}{{ range $.D }}{{ range $.D }}a{{ end }}{{ end }}{{ end }}')
  expect(() => renderHtml(template, { D: list })).toThrow(TemplateError)
})

test('a subject holds text, not HTML', () => {
  expect(renderPlain(parseTemplate('{{ .Data.name }} & {{ .Token }}'), data)).toBe("Ann <b>O'Hara</b> & 123456")
})

describe('whatever a value holds', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[ \t]{0,2}(java|JAVA)[\t\n]?script:[a-z()"'<>&]{0,12}$/),
    fc.constantFrom(
      '"><script>',
      "' onload='x",
      '--></style></script><b>',
      'data:text/html,<b>',
      '\u0001javascript:x',
      '&#106;avascript:x',
    ),
  )
  const rendered = (before: string, value: string, after: string): string => {
    const html = renderHtml(parseTemplate(`${before}{{ .V }}${after}`), { V: value })
    return html.slice(before.length, html.length - after.length)
  }

  test.for([
    ['text', '<p>', '</p>'],
    ['an attribute', '<p title="', '">'],
    ['an attribute in single quotes', "<p title='", "'>"],
    ['an address', '<a href="', '">'],
    ['a parameter', '<a href="https://a.example?x=', '">'],
    ['a style', '<p style="color:', '">'],
    ['a script', '<script>', '</script>'],
    ['a tag', '<p ', '>'],
  ] as const)('it stays inside %s', ([, before, after]) => {
    fc.assert(fc.property(hostile, (value) => !/[<>"'\0]/.test(rendered(before, value, after))))
  })

  test('an address it makes runs nothing', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const address = rendered('<a href="', value, '">').replaceAll('&amp;', '&').replaceAll('&#43;', '+')
        const { protocol } = URL.canParse(address) ? new URL(address) : { protocol: 'https:' }
        return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)
      }),
    )
  })

  test('any text is a template or is rejected as none', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{{',
            '}}',
            ' if ',
            ' end ',
            ' else ',
            ' range ',
            '.A',
            '$x',
            ':=',
            '|',
            '(',
            ')',
            '"',
            '`',
            '-',
            '/*',
            '*/',
            ' ',
            'eq ',
            'a',
          ),
        ),
        (parts) => {
          const source = parts.join('')
          try {
            renderHtml(parseTemplate(source), { A: ['1', { a: 2 }] })
          } catch (error) {
            expect(error).toBeInstanceOf(TemplateError)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})
