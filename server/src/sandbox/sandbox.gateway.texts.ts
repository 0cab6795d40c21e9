// The words of the sandbox gateway's pages, in each of its languages.
import type { CardErrors, TestCardName } from './sandbox.gateway.cards.ts'
import type { Language } from './sandbox.gateway.orders.ts'

type FieldError = NonNullable<CardErrors[keyof CardErrors]>

export type Texts = {
  direction: 'ltr' | 'rtl'
  /** For writing amounts. */
  locale: string
  title: string
  sandbox: string
  amount: string
  number: string
  expiry: string
  cvv: string
  pay: string
  cancel: string
  errors: Record<FieldError, string>
  /** By action code. */
  declined: Record<number, string>
  declinedOtherwise: string
  bankTitle: string
  bankQuestion: string
  card: string
  confirm: string
  refuse: string
  processingTitle: string
  processing: string
  back: string
  cardsTitle: string
  cardsHint: string
  cards: Record<TestCardName, string>
}

/** Isolated, or its parts would change places between Arabic words. */
const secure = '\u20663-D Secure\u2069'

export const texts: Record<Language, Texts> = {
  en: {
    direction: 'ltr',
    locale: 'en',
    title: 'Card payment',
    sandbox: 'This is a sandbox: no money moves, and only the test cards below are taken.',
    amount: 'Amount',
    number: 'Card number',
    expiry: 'Expiry date (MM/YY)',
    cvv: 'Security code (CVV)',
    pay: 'Pay',
    cancel: 'Cancel',
    errors: {
      number_missing: 'Enter the card number.',
      number_unknown: 'This is not one of the test cards. Choose one from the list below.',
      expiry_malformed: 'Enter the month and the year, such as 09/31.',
      expiry_past: 'This card has expired.',
      cvv_malformed: 'Enter the three digits of the security code.',
    },
    declined: {
      116: 'The card was declined: there is not enough money on it. Try another card.',
      208: 'The card was declined: it was reported lost. Try another card.',
      111: 'The security code is wrong. Check it and try again.',
      10: 'The 3-D Secure confirmation was cancelled. Try again or use another card.',
    },
    declinedOtherwise: 'The card was declined. Try another card.',
    bankTitle: '3-D Secure',
    bankQuestion: 'Your bank asks you to confirm this payment.',
    card: 'Card',
    confirm: 'Confirm the payment',
    refuse: 'Cancel',
    processingTitle: 'Payment in progress',
    processing: 'The payment is being processed. This page renews itself.',
    back: 'Return to the shop',
    cardsTitle: 'Test cards',
    cardsHint: 'Any expiry date in the future. Any three digits as security code, where nothing else is said.',
    cards: {
      secure: 'is paid after 3-D Secure',
      plain: 'is paid at once',
      insufficient_funds: 'not enough money',
      lost: 'lost card',
      wrong_cvv: 'wrong security code, unless it is 123',
      secure_canceled: '3-D Secure cancelled by the payer',
      session_expired: 'the session expires',
      late: 'is paid only some seconds later',
      silent: 'the gateway never answers again',
    },
  },
  fr: {
    direction: 'ltr',
    locale: 'fr',
    title: 'Paiement par carte',
    sandbox: 'Environnement de test : aucun argent ne circule, et seules les cartes de test ci-dessous sont acceptées.',
    amount: 'Montant',
    number: 'Numéro de carte',
    expiry: 'Date d’expiration (MM/AA)',
    cvv: 'Code de sécurité (CVV)',
    pay: 'Payer',
    cancel: 'Annuler',
    errors: {
      number_missing: 'Saisissez le numéro de la carte.',
      number_unknown: 'Ce n’est pas une des cartes de test. Choisissez-en une dans la liste ci-dessous.',
      expiry_malformed: 'Saisissez le mois et l’année, par exemple 09/31.',
      expiry_past: 'Cette carte a expiré.',
      cvv_malformed: 'Saisissez les trois chiffres du code de sécurité.',
    },
    declined: {
      116: 'La carte a été refusée : provision insuffisante. Essayez une autre carte.',
      208: 'La carte a été refusée : elle a été déclarée perdue. Essayez une autre carte.',
      111: 'Le code de sécurité est incorrect. Vérifiez-le et réessayez.',
      10: 'La confirmation 3-D Secure a été annulée. Réessayez ou utilisez une autre carte.',
    },
    declinedOtherwise: 'La carte a été refusée. Essayez une autre carte.',
    bankTitle: '3-D Secure',
    bankQuestion: 'Votre banque vous demande de confirmer ce paiement.',
    card: 'Carte',
    confirm: 'Confirmer le paiement',
    refuse: 'Annuler',
    processingTitle: 'Paiement en cours',
    processing: 'Le paiement est en cours de traitement. Cette page se renouvelle d’elle-même.',
    back: 'Retourner à la boutique',
    cardsTitle: 'Cartes de test',
    cardsHint: 'Toute date d’expiration à venir. Trois chiffres quelconques comme code de sécurité, sauf indication contraire.',
    cards: {
      secure: 'payée après 3-D Secure',
      plain: 'payée immédiatement',
      insufficient_funds: 'provision insuffisante',
      lost: 'carte perdue',
      wrong_cvv: 'code de sécurité incorrect, sauf si c’est 123',
      secure_canceled: '3-D Secure annulé par le payeur',
      session_expired: 'la session expire',
      late: 'payée seulement quelques secondes plus tard',
      silent: 'la passerelle ne répond plus jamais',
    },
  },
  ar: {
    direction: 'rtl',
    // With the digits that are printed on cards.
    locale: 'ar-DZ',
    title: 'الدفع بالبطاقة',
    sandbox: 'هذه بيئة تجريبية: لا تُنقل أي أموال، ولا تُقبل إلا بطاقات الاختبار المذكورة أدناه.',
    amount: 'المبلغ',
    number: 'رقم البطاقة',
    expiry: 'تاريخ الانتهاء (شهر/سنة)',
    cvv: 'رمز الأمان (CVV)',
    pay: 'ادفع',
    cancel: 'إلغاء',
    errors: {
      number_missing: 'أدخل رقم البطاقة.',
      number_unknown: 'هذه ليست من بطاقات الاختبار. اختر واحدة من القائمة أدناه.',
      expiry_malformed: 'أدخل الشهر والسنة، مثل 09/31.',
      expiry_past: 'انتهت صلاحية هذه البطاقة.',
      cvv_malformed: 'أدخل الأرقام الثلاثة لرمز الأمان.',
    },
    declined: {
      116: 'رُفضت البطاقة: الرصيد غير كافٍ. جرّب بطاقة أخرى.',
      208: 'رُفضت البطاقة: أُبلغ عن فقدانها. جرّب بطاقة أخرى.',
      111: 'رمز الأمان غير صحيح. تحقق منه وحاول مرة أخرى.',
      10: `أُلغي تأكيد ${secure}. حاول مرة أخرى أو استخدم بطاقة أخرى.`,
    },
    declinedOtherwise: 'رُفضت البطاقة. جرّب بطاقة أخرى.',
    bankTitle: secure,
    bankQuestion: 'يطلب منك بنكك تأكيد هذا الدفع.',
    card: 'البطاقة',
    confirm: 'تأكيد الدفع',
    refuse: 'إلغاء',
    processingTitle: 'الدفع قيد المعالجة',
    processing: 'تجري معالجة الدفع. تتجدد هذه الصفحة تلقائيًا.',
    back: 'العودة إلى المتجر',
    cardsTitle: 'بطاقات الاختبار',
    cardsHint: 'أي تاريخ انتهاء في المستقبل. أي ثلاثة أرقام كرمز أمان، ما لم يُذكر غير ذلك.',
    cards: {
      secure: `تُدفع بعد ${secure}`,
      plain: 'تُدفع فورًا',
      insufficient_funds: 'رصيد غير كافٍ',
      lost: 'بطاقة مفقودة',
      wrong_cvv: 'رمز أمان غير صحيح، إلا إذا كان 123',
      secure_canceled: `ألغى الدافع ${secure}`,
      session_expired: 'تنتهي الجلسة',
      late: 'تُدفع بعد بضع ثوانٍ فقط',
      silent: 'لا تجيب البوابة بعد ذلك أبدًا',
    },
  },
}
