import { expect, test } from 'vitest'
import { planPlot } from './plot-options.ts'

test('the axis has the unit of what is drawn', () => {
  const axisOf = (units: readonly ('ms' | undefined)[]) => {
    const series = units.map((unit) => ({ name: 'p75', values: [1, 2], ...(unit && { unit }) }))
    const data = { along: 'Hour', isTime: true, xs: [1, 2], labels: ['1', '2'], series }
    const values = planPlot({ data, shape: 'lines', colour: (token) => token }).axes?.[1]?.values
    return typeof values === 'function' ? Reflect.apply(values, undefined, [null, [0, 250, 4000]]) : values
  }
  expect(axisOf(['ms', 'ms'])).toEqual(['0 ms', '250 ms', '4.0 s'])
  expect(axisOf(['ms', undefined])).toBeUndefined()
})
