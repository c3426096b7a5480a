import { expect, test } from 'vitest'
import { childrenOf, parseXml, textOf } from './parse.ts'
import { renderDocument, renderErrorDocument } from './render.ts'

test('elements and their texts are read', async () => {
  const root = await parseXml(`\uFEFF<?xml version="1.0"?>
    <!-- a comment with <tags> -->
    <s3:Delete xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/" other='>'>
      <s3:Object><Key>a&amp;b &lt;&#x41;&#66;&gt;<![CDATA[<&amp;]]></Key><VersionId/></s3:Object>
      <Object><Key> spaces stay </Key></Object>
      <Quiet>true</Quiet>
    </s3:Delete>`)
  expect(root.name).toBe('Delete')
  const objects = childrenOf(root, 'Object')
  expect(objects.map((each) => textOf(each, 'Key'))).toEqual(['a&b <AB><&amp;', ' spaces stay '])
  expect([textOf(root, 'Quiet'), textOf(root, 'Nothing')]).toEqual(['true', undefined])
  expect(objects[0] && textOf(objects[0], 'VersionId')).toBe('')
})

test.each([
  ['nothing', ''],
  ['text alone', 'hello'],
  ['two roots', '<a/><b/>'],
  ['an element without end', '<a><b></a>'],
  ['an end without element', '</a>'],
  ['another end', '<a></b>'],
  ['half a tag', '<a'],
  ['a comment without end', '<a><!-- </a>'],
  ['a document type', '<!DOCTYPE a><a/>'],
  ['entities of its own', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['an unknown entity', '<a>&b;</a>'],
  ['an ampersand alone', '<a>a & b</a>'],
  ['a character beyond Unicode', '<a>&#x110000;</a>'],
  ['a deep document', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`],
  ['JSON', '{"a":1}'],
  ['a text that no key is as long as', `<a>${'&amp;'.repeat(10_000)}</a>`],
  ['a long attribute', `<a b="${'x'.repeat(10_000)}"/>`],
  ['many attributes', `<a${' b="c"'.repeat(10_000)}/>`],
  ['a tag of spaces', `<a${' '.repeat(10_000)}/>`],
  ['more elements than parts have', `<a>${'<b/>'.repeat(100_001)}</a>`],
])('%s is no document', async (_title, document) => {
  await expect(parseXml(document)).rejects.toMatchObject({ code: 'MalformedXML' })
})

test('the parts of the longest upload are read, two documents at once, and others have their turn meanwhile', async () => {
  const part = (number: number, checksum: string) => `
  <Part>
    <PartNumber>${number}</PartNumber><ETag>"${checksum}"</ETag><ChecksumSHA256>${checksum}</ChecksumSHA256>
  </Part>`
  const documentOf = (checksum: string) =>
    `<CompleteMultipartUpload>${Array.from({ length: 10_000 }, (_, index) => part(index + 1, checksum)).join('')}
    </CompleteMultipartUpload>`
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const roots = await Promise.all(['a'.repeat(44), 'b'.repeat(44)].map((each) => parseXml(documentOf(each))))
  clearImmediate(next)
  expect(roots.map(({ children }) => children.length)).toEqual([10_000, 10_000])
  expect(roots.map(({ children }) => children.at(-1)?.children.map(({ text }) => text.slice(0, 5)))).toEqual([
    ['10000', '"aaaa', 'aaaaa'],
    ['10000', '"bbbb', 'bbbbb'],
  ])
  expect(turns).toBeGreaterThan(20)
})

test('what is rendered is read again', async () => {
  const rendered = renderDocument('List', { Name: 'a<b>&"c"', Empty: '', Left: undefined, Key: ['x', 'y\r'], Count: 2 })
  expect(rendered).toContain(
    '<List xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>a&lt;b&gt;&amp;&quot;c&quot;</Name><Empty></Empty>',
  )
  const root = await parseXml(rendered)
  expect(root.children.map(({ name, text }) => [name, text])).toEqual([
    ['Name', 'a<b>&"c"'],
    ['Empty', ''],
    ['Key', 'x'],
    ['Key', 'y\r'],
    ['Count', '2'],
  ])
})

test('characters that XML cannot carry are replaced', () => {
  expect(renderErrorDocument({ Message: 'a\0b\ud800\ufffec\n' })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><Error><Message>a\ufffdb\ufffd\ufffdc\n</Message></Error>',
  )
})
