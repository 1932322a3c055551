import { expect, test } from 'vitest'
import AzureAD from '../../src/providers/azure-ad.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
const issuer = `https://login.microsoftonline.com/${TENANT}/v2.0`

test('Azure AD is reported as deprecated, once', async () => {
  const { tab, log } = await oidcSite(AzureAD({ ...OPTIONS, issuer }), { url: issuer })
  await tab.begin('azure-ad')
  await tab.begin('azure-ad')
  const warnings = log.lines.filter(([, code]) => code === 'provider-deprecated')
  expect(warnings).toHaveLength(1)
  expect(warnings.join()).toContain('lib-auth/providers/microsoft-entra-id')
})

test('Azure AD rejects a tenant id in place of an issuer', () => {
  const options = { ...OPTIONS, tenantId: TENANT }
  expect(() => AzureAD(options)).toThrow('Set issuer to https://login.microsoftonline.com/')
})
