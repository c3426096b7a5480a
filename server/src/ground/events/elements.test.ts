import { expect, test } from 'vitest'
import { elementLabel, parseElementsChain } from './elements.ts'

test('a chain is read innermost first, quotes and semicolons in values kept', () => {
  const chain =
    'span.icon:nth-child="1";button.cta.wide:attr__class="cta; wide"attr_id="pay"text="Pay \\"now\\"; please";body:nth-child="2"'
  expect(parseElementsChain(chain)).toEqual([
    { tag: 'span', attributes: { 'nth-child': '1' } },
    { tag: 'button', attributes: { attr__class: 'cta; wide', attr_id: 'pay', text: 'Pay "now"; please' } },
    { tag: 'body', attributes: { 'nth-child': '2' } },
  ])
})

test.each([
  ['its own text', { $el_text: ' Place \n order ' }, '', 'Place order'],
  ['the button around an icon', {}, 'svg:nth-child="1";button:text="Remove";li:text="Row"', 'Remove'],
  ['the name of the button', {}, 'svg:nth-child="1";button:attr__aria-label="Close"', 'Close'],
  ['not of the list around a plain box', {}, 'div:nth-child="1";ul:text="everything"', null],
  ['one of many alike', { $el_text: 'Add' }, 'button:attr__aria-label="Add Espresso"text="Add"', 'Add Espresso'],
  ['a field’s placeholder', {}, 'input:attr__name="q"attr__placeholder="Search"', 'Search'],
  ['older clients’ array', { $elements: [{ tag_name: 'a', $el_text: 'Home' }] }, '', 'Home'],
  ['nothing', {}, '', null],
])('a label: %s', (_, properties, chain, label) => {
  expect(elementLabel(properties, chain)).toBe(label)
})
