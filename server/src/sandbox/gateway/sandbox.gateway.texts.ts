// The texts of the sandbox gateway's pages, in each of its languages.
import type { CardErrors, TestCardName } from './sandbox.gateway.cards.ts'
import type { Language } from './sandbox.gateway.orders.ts'

type FieldError = NonNullable<CardErrors[keyof CardErrors]>

export type Texts = {
  direction: 'ltr' | 'rtl'
  /** For formatting amounts. */
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
  checkAgain: string
  back: string
  cardsTitle: string
  cardsHint: string
  cards: Record<TestCardName, string>
}

/** Isolated, so that its parts keep their order between Arabic words. */
const secure = '\u20663-D Secure\u2069'

export const texts: Record<Language, Texts> = {
  en: {
    direction: 'ltr',
    locale: 'en-GB',
    title: 'Card payment',
    sandbox: 'This is a sandbox: no money moves, and only the test cards below are accepted.',
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
      116: 'The card was declined: insufficient funds. Try another card.',
      208: 'The card was declined: it was reported lost. Try another card.',
      111: 'The security code is wrong. Check it and try again.',
      10: 'The 3-D Secure confirmation was canceled. Try again or use another card.',
    },
    declinedOtherwise: 'The card was declined. Try another card.',
    bankTitle: '3-D Secure',
    bankQuestion: 'Your bank asks you to confirm this payment.',
    card: 'Card',
    confirm: 'Confirm the payment',
    refuse: 'Cancel',
    processingTitle: 'Payment in progress',
    processing: 'The payment is being processed. Check again in a few seconds.',
    checkAgain: 'Check again',
    back: 'Back to the shop',
    cardsTitle: 'Test cards',
    cardsHint: 'Any expiry date in the future. Any three digits as the security code, unless the list says otherwise.',
    cards: {
      secure: 'paid after 3-D Secure',
      plain: 'paid at once',
      insufficient_funds: 'declined: insufficient funds',
      lost: 'declined: lost card',
      wrong_cvv: 'declined: wrong security code, unless it is 123',
      secure_canceled: '3-D Secure canceled by the payer',
      session_expired: 'the session expires',
      late: 'paid, but only some seconds later',
      silent: 'the gateway never answers about it again',
    },
  },
  fr: {
    direction: 'ltr',
    // French as written in Algeria, with DA for the dinar.
    locale: 'fr-DZ',
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
    processing: 'Le paiement est en cours de traitement. Vérifiez à nouveau dans quelques secondes.',
    checkAgain: 'Vérifier à nouveau',
    back: 'Retour à la boutique',
    cardsTitle: 'Cartes de test',
    cardsHint: 'Toute date d’expiration future. Trois chiffres quelconques comme code de sécurité, sauf indication contraire.',
    cards: {
      secure: 'payée après 3-D Secure',
      plain: 'payée immédiatement',
      insufficient_funds: 'refusée : provision insuffisante',
      lost: 'refusée : carte perdue',
      wrong_cvv: 'refusée : code de sécurité incorrect, sauf si c’est 123',
      secure_canceled: '3-D Secure annulé par le payeur',
      session_expired: 'la session expire',
      late: 'payée, mais quelques secondes plus tard',
      silent: 'la passerelle ne répond plus à son sujet',
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
    processing: 'تجري معالجة الدفع. تحقق مرة أخرى بعد بضع ثوانٍ.',
    checkAgain: 'تحقق مرة أخرى',
    back: 'العودة إلى المتجر',
    cardsTitle: 'بطاقات الاختبار',
    cardsHint: 'أي تاريخ انتهاء في المستقبل. أي ثلاثة أرقام كرمز أمان، ما لم يُذكر غير ذلك.',
    cards: {
      secure: `تُدفع بعد ${secure}`,
      plain: 'تُدفع فورًا',
      insufficient_funds: 'تُرفض: رصيد غير كافٍ',
      lost: 'تُرفض: بطاقة مفقودة',
      wrong_cvv: 'تُرفض: رمز أمان غير صحيح، إلا إذا كان 123',
      secure_canceled: `ألغى الدافع ${secure}`,
      session_expired: 'تنتهي الجلسة',
      late: 'تُدفع، لكن بعد بضع ثوانٍ',
      silent: 'لا تجيب البوابة عنها بعد ذلك أبدًا',
    },
  },
}
