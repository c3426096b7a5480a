import { expect, test } from 'vitest'
import { childrenOf, parseXml, textOf } from './parse.ts'
import { renderDocument, renderErrorDocument } from './render.ts'

test('elements and their texts are read', () => {
  const root = parseXml(`\uFEFF<?xml version="1.0"?>
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
])('%s is no document', (_title, document) => {
  expect(() => parseXml(document)).toThrow(expect.objectContaining({ code: 'MalformedXML' }))
})

test('what is rendered is read again', () => {
  const rendered = renderDocument('List', { Name: 'a<b>&"c"', Empty: '', Left: undefined, Key: ['x', 'y\r'], Count: 2 })
  expect(rendered).toContain(
    '<List xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>a&lt;b&gt;&amp;&quot;c&quot;</Name><Empty></Empty>',
  )
  const root = parseXml(rendered)
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
