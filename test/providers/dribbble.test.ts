import { expect, test } from 'vitest'
import Dribbble from '../../src/providers/dribbble.ts'
import type { DribbbleOptions } from '../../src/providers/dribbble.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import { OPTIONS } from './vendor.ts'

test.each<[DribbbleOptions, string]>([
  [{}, 'public'],
  [{ scope: 'public upload' }, 'public upload'],
])('with %o sends the scope "%s" to Dribbble', async (options, scope) => {
  const providers = [Dribbble({ ...OPTIONS, ...options })]
  const { url } = await browser({ providers, secret: SECRET, trustHost: true }).begin('dribbble')
  expect(url.searchParams.get('scope')).toBe(scope)
})
