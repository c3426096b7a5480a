import { expect, test } from 'vitest'
import { scriptsOfScreens } from './screen-sizes.js'

test('a screen has what it adds to the frame, and Home both; what is loaded once it is asked for counts for none', () => {
  const chunk = (file, imports = [], more = {}) => ({ file, imports, ...more })
  const manifest = {
    'index.html': chunk('frame.js', ['_react.js'], { isEntry: true }),
    '_react.js': chunk('react.js'),
    '_table.js': chunk('table.js', ['_react.js', '_cell.js']),
    '_cell.js': chunk('cell.js', ['_table.js']),
    'src/editor.tsx': chunk('editor.js', ['_table.js']),
    'src/routes/index.tsx?tsr-split=component': chunk('home.js', ['index.html', '_table.js']),
    'src/routes/sql.tsx?tsr-split=component': chunk('sql.js', ['_table.js'], { dynamicImports: ['src/editor.tsx'] }),
    'src/routes/sql.tsx?tsr-split=loader': chunk('sql-loader.js'),
  }
  expect(scriptsOfScreens(manifest)).toEqual([
    { screen: 'src/routes/index.tsx', files: ['cell.js', 'frame.js', 'home.js', 'react.js', 'table.js'] },
    { screen: 'src/routes/sql.tsx', files: ['cell.js', 'sql-loader.js', 'sql.js', 'table.js'] },
  ])
})
