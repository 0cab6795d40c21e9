import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf } from './console.findings.ts'

test('a mistake is reported once with every page that has it, the most frequent one first', () => {
  assert.equal(
    reportOf([
      { page: 'v/links', state: 'empty', what: 'an alert: No', where: [] },
      { page: 'v/links', state: 'full', what: 'color-contrast: <p>', where: ['360 dark', '1280 dark'] },
      { page: 'bank/cases', state: 'error', what: 'color-contrast: <p>', where: ['768 light'] },
    ]),
    [
      '✖ color-contrast: <p>',
      '    v/links full      360 dark, 1280 dark',
      '    bank/cases error  768 light',
      '✖ an alert: No',
      '    v/links empty',
    ].join('\n'),
  )
})

test('without findings there is nothing to report', () => {
  assert.equal(reportOf([]), '')
})
