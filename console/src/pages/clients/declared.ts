// The declarations of clients in words. The lists come from the service.
import type { OnboardingSubmission } from '@vostro/sdk'
import { words } from '../../ui/words.ts'

export const volumes: Record<OnboardingSubmission['expected_monthly_incoming_volume'], string> = {
  LESS_THAN1000: 'Less than 1,000',
  BETWEEN1001_AND5000: '1,001 to 5,000',
  BETWEEN5001_AND10000: '5,001 to 10,000',
  BETWEEN10001_AND15000: '10,001 to 15,000',
  BETWEEN15001_AND30000: '15,001 to 30,000',
  BETWEEN30001_AND60000: '30,001 to 60,000',
  MORE_THAN60001: 'More than 60,001',
}

export const inWords = (names: readonly string[]) => names.map((value) => ({ value, label: words(value) }))
