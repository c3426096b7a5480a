import { expect, test } from 'vitest'
import { joinMetrics } from './join-metrics.ts'

test('the numbers of workers stand beside each other, each metric described once', () => {
  const of = (number: number) => ({
    number,
    text: `# HELP up Whether it is\n# TYPE up gauge\nup ${number}\n\n# HELP t Time\n# TYPE t histogram\nt_bucket{le="+Inf",s="a b"} 3\n`,
  })
  expect(joinMetrics([of(1), of(2)])).toBe(
    [
      '# HELP up Whether it is',
      '# TYPE up gauge',
      'up{worker="1"} 1',
      'up{worker="2"} 2',
      '',
      '# HELP t Time',
      '# TYPE t histogram',
      't_bucket{worker="1",le="+Inf",s="a b"} 3',
      't_bucket{worker="2",le="+Inf",s="a b"} 3',
      '',
    ].join('\n'),
  )
})
