// The texts of the pages that payers see, in each of their languages.
import type { Closed } from '../links/payments.links.start.ts'
import type { Language } from '../payments.schemas.ts'
import type { PaymentStatus } from '../payments.status.ts'
import type { Field } from './payments.pages.form.ts'

/** Pages that only show a message: why a link is closed, or what went wrong. */
export type Notice = Closed | 'unknown' | 'malformed' | 'too_many' | 'unanswered' | 'unavailable'

/** The outcome of a payment for its payer. `REVERSED`: it was paid, and the merchant canceled it afterwards. */
export type Outcome = PaymentStatus | 'REVERSED'

export type Texts = {
  /** The language's name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** For writing amounts and dates. */
  locale: string
  chooseLanguage: string
  payTo: (payee: string) => string
  amount: string
  pay: string
  next: string
  scan: string
  fields: Record<Field, { label: string; hint?: string; missing: string; malformed: string }>
  wrong: string
  leaving: string
  toCardForm: string
  result: Record<Outcome, { title: string; text: (payee: string) => string }>
  payee: string
  description: string
  date: string
  card: string
  reference: string
  refunded: string
  checkAgain: string
  tryAgain: string
  openLink: string
  backToShop: string
  backToLink: string
  canClose: string
  notices: Record<Notice, { title: string; text: string }>
}

/** Marks a text of unknown direction, so that the words around it stay in order. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

const samplePhone = '\u2066+213\u00a0551\u00a023\u00a045\u00a067\u2069'

export const texts: Record<Language, Texts> = {
  FR: {
    name: 'Français',
    direction: 'ltr',
    // French as written in Algeria, with DA for the dinar.
    locale: 'fr-DZ',
    chooseLanguage: 'Langue',
    payTo: (payee) => `Paiement à ${payee}`,
    amount: 'Montant',
    pay: 'Payer',
    next: 'Vous saisirez votre carte à la page suivante.',
    scan: 'Pour payer, scannez ce code avec votre téléphone.',
    fields: {
      name: {
        label: 'Votre nom',
        missing: 'Saisissez votre nom.',
        malformed: 'Saisissez un nom de 140 caractères au plus, sans caractères invisibles.',
      },
      email: {
        label: 'Votre adresse e-mail',
        missing: 'Saisissez votre adresse e-mail.',
        malformed: 'Saisissez une adresse e-mail comme nom@exemple.com.',
      },
      phone: {
        label: 'Votre numéro de téléphone',
        hint: `Avec l’indicatif du pays, par exemple ${samplePhone}`,
        missing: 'Saisissez votre numéro de téléphone.',
        malformed: `Saisissez le numéro avec l’indicatif du pays, par exemple ${samplePhone}.`,
      },
    },
    wrong: 'Corrigez les champs indiqués.',
    leaving: 'Redirection vers le formulaire de carte',
    toCardForm: 'Continuer vers le formulaire de carte',
    result: {
      PENDING: {
        title: 'Paiement non terminé',
        text: () => 'Ce paiement n’est pas encore confirmé. Si vous venez de payer, vérifiez à nouveau dans un instant.',
      },
      PAID: { title: 'Paiement réussi', text: (payee) => `Merci. Votre paiement à ${payee} est confirmé.` },
      REFUSED: { title: 'Paiement refusé', text: () => 'La carte a été refusée. Réessayez ou utilisez une autre carte.' },
      CANCELED: { title: 'Paiement annulé', text: () => 'Le paiement a été annulé avant d’être terminé. Vous pouvez recommencer.' },
      EXPIRED: {
        title: 'Délai dépassé',
        text: (payee) =>
          `Le paiement n’a pas été confirmé à temps. Si vous aviez déjà validé votre carte, contactez ${payee} avant de payer à nouveau.`,
      },
      FAILED: { title: 'Échec du paiement', text: (payee) => `Le paiement a échoué. Contactez ${payee} avant de payer à nouveau.` },
      REFUNDED: { title: 'Paiement remboursé', text: (payee) => `${payee} a remboursé ce paiement sur la carte utilisée.` },
      REVERSED: { title: 'Paiement annulé', text: (payee) => `${payee} a annulé ce paiement. Le montant revient sur la carte utilisée.` },
    },
    payee: 'Commerçant',
    description: 'Objet',
    date: 'Date',
    card: 'Carte',
    reference: 'Référence',
    refunded: 'Remboursé',
    checkAgain: 'Vérifier à nouveau',
    tryAgain: 'Réessayer',
    openLink: 'Ouvrir le lien',
    backToShop: 'Retour à la boutique',
    backToLink: 'Retour à la page de paiement',
    canClose: 'Conservez la référence. Vous pouvez fermer cette page.',
    notices: {
      unknown: { title: 'Lien introuvable', text: 'Il n’y a rien à payer à cette adresse. Vérifiez le lien que vous avez reçu.' },
      inactive: { title: 'Lien désactivé', text: 'Ce lien de paiement n’est plus actif. Demandez un nouveau lien au commerçant.' },
      expired: { title: 'Lien expiré', text: 'Ce lien de paiement a expiré. Demandez un nouveau lien au commerçant.' },
      used_up: {
        title: 'Lien déjà utilisé',
        text: 'Ce lien a atteint son nombre maximal de paiements. Si vous avez déjà payé, vous n’avez plus rien à faire. Sinon, demandez un nouveau lien au commerçant.',
      },
      malformed: {
        title: 'Demande non comprise',
        text: 'La demande n’a pas pu être lue, et rien n’a été payé. Ouvrez à nouveau le lien.',
      },
      too_many: {
        title: 'Trop de demandes',
        text: 'Ce lien a reçu trop de demandes depuis votre connexion. Patientez une minute, puis réessayez.',
      },
      unanswered: {
        title: 'Paiement impossible pour le moment',
        text: 'Le service de paiement par carte ne répond pas, et rien n’a été payé. Réessayez dans un instant.',
      },
      unavailable: {
        title: 'Service momentanément indisponible',
        text: 'La page ne peut pas être affichée pour le moment. Réessayez dans un instant.',
      },
    },
  },
  EN: {
    name: 'English',
    direction: 'ltr',
    // International English: 15 November, and US$ because a dollar could be another one.
    locale: 'en-GB',
    chooseLanguage: 'Language',
    payTo: (payee) => `Payment to ${payee}`,
    amount: 'Amount',
    pay: 'Pay',
    next: 'You will enter your card details on the next page.',
    scan: 'To pay, scan this code with your phone.',
    fields: {
      name: {
        label: 'Your name',
        missing: 'Enter your name.',
        malformed: 'Enter a name of at most 140 characters, without invisible characters.',
      },
      email: {
        label: 'Your email address',
        missing: 'Enter your email address.',
        malformed: 'Enter an email address such as name@example.com.',
      },
      phone: {
        label: 'Your phone number',
        hint: `With the country code, such as ${samplePhone}`,
        missing: 'Enter your phone number.',
        malformed: `Enter the number with the country code, such as ${samplePhone}.`,
      },
    },
    wrong: 'Correct the fields marked below.',
    leaving: 'Taking you to the card form',
    toCardForm: 'Continue to the card form',
    result: {
      PENDING: {
        title: 'Payment not finished',
        text: () => 'This payment is not confirmed yet. If you have just paid, check again in a moment.',
      },
      PAID: { title: 'Payment successful', text: (payee) => `Thank you. Your payment to ${payee} is confirmed.` },
      REFUSED: { title: 'Payment declined', text: () => 'The card was declined. Try again, or use another card.' },
      CANCELED: { title: 'Payment canceled', text: () => 'The payment was canceled before it was finished. You can start again.' },
      EXPIRED: {
        title: 'Payment expired',
        text: (payee) =>
          `The payment was not confirmed in time. If you had already submitted your card, contact ${payee} before you pay again.`,
      },
      FAILED: { title: 'Payment failed', text: (payee) => `The payment failed. Contact ${payee} before you pay again.` },
      REFUNDED: { title: 'Payment refunded', text: (payee) => `${payee} has refunded this payment to the card you used.` },
      REVERSED: {
        title: 'Payment canceled',
        text: (payee) => `${payee} has canceled this payment. The money goes back to the card you used.`,
      },
    },
    payee: 'Merchant',
    description: 'For',
    date: 'Date',
    card: 'Card',
    reference: 'Reference',
    refunded: 'Refunded',
    checkAgain: 'Check again',
    tryAgain: 'Try again',
    openLink: 'Open the link',
    backToShop: 'Back to the shop',
    backToLink: 'Back to the payment page',
    canClose: 'Keep the reference for your records. You can close this page.',
    notices: {
      unknown: { title: 'Link not found', text: 'There is nothing to pay at this address. Check the link you received.' },
      inactive: { title: 'Link no longer active', text: 'This payment link has been deactivated. Ask the merchant for a new one.' },
      expired: { title: 'Link expired', text: 'This payment link has expired. Ask the merchant for a new one.' },
      used_up: {
        title: 'Link already used',
        text: 'This link has reached its maximum number of payments. If you have already paid, there is nothing more to do. Otherwise, ask the merchant for a new link.',
      },
      malformed: { title: 'Request not understood', text: 'The request could not be read, and nothing was paid. Open the link again.' },
      too_many: {
        title: 'Too many requests',
        text: 'We have received too many requests from your connection. Wait a minute, then try again.',
      },
      unanswered: {
        title: 'No payment possible right now',
        text: 'The card payment service is not responding, and nothing was paid. Try again in a moment.',
      },
      unavailable: { title: 'Temporarily unavailable', text: 'The page cannot be shown right now. Try again in a moment.' },
    },
  },
  AR: {
    name: 'العربية',
    direction: 'rtl',
    // With the digits that are printed on cards.
    locale: 'ar-DZ',
    chooseLanguage: 'اللغة',
    payTo: (payee) => `دفع إلى ${payee}`,
    amount: 'المبلغ',
    pay: 'ادفع',
    next: 'ستُدخل بيانات بطاقتك في الصفحة التالية.',
    scan: 'للدفع، امسح هذا الرمز بهاتفك.',
    fields: {
      name: {
        label: 'اسمك',
        missing: 'أدخل اسمك.',
        malformed: 'أدخل اسمًا لا يتجاوز 140 حرفًا، دون رموز غير مرئية.',
      },
      email: {
        label: 'بريدك الإلكتروني',
        missing: 'أدخل بريدك الإلكتروني.',
        malformed: 'أدخل عنوان بريد إلكتروني مثل \u2066name@example.com\u2069.',
      },
      phone: {
        label: 'رقم هاتفك',
        hint: `مع رمز البلد، مثل ${samplePhone}`,
        missing: 'أدخل رقم هاتفك.',
        malformed: `أدخل الرقم مع رمز البلد، مثل ${samplePhone}.`,
      },
    },
    wrong: 'صحّح الحقول المشار إليها.',
    leaving: 'جارٍ نقلك إلى استمارة البطاقة',
    toCardForm: 'المتابعة إلى استمارة البطاقة',
    result: {
      PENDING: { title: 'الدفع غير مكتمل', text: () => 'لم يتأكد هذا الدفع بعد. إذا كنت قد دفعت للتو، فتحقق مرة أخرى بعد قليل.' },
      PAID: { title: 'تم الدفع بنجاح', text: (payee) => `شكرًا لك. تم تأكيد دفعك إلى ${payee}.` },
      REFUSED: { title: 'رُفض الدفع', text: () => 'رُفضت البطاقة. حاول مرة أخرى أو استخدم بطاقة أخرى.' },
      CANCELED: { title: 'أُلغي الدفع', text: () => 'أُلغي الدفع قبل اكتماله. يمكنك البدء من جديد.' },
      EXPIRED: {
        title: 'انتهت المهلة',
        text: (payee) => `لم يتأكد الدفع في الوقت المحدد. إذا كنت قد أرسلت بيانات بطاقتك، فتواصل مع ${payee} قبل أن تدفع مرة أخرى.`,
      },
      FAILED: { title: 'فشل الدفع', text: (payee) => `فشل الدفع. تواصل مع ${payee} قبل أن تدفع مرة أخرى.` },
      REFUNDED: { title: 'أُعيد المبلغ', text: (payee) => `أعاد ${payee} مبلغ هذا الدفع إلى البطاقة التي استخدمتها.` },
      REVERSED: { title: 'أُلغي الدفع', text: (payee) => `ألغى ${payee} هذا الدفع. سيعود المبلغ إلى البطاقة التي استخدمتها.` },
    },
    payee: 'التاجر',
    description: 'الغرض',
    date: 'التاريخ',
    card: 'البطاقة',
    reference: 'المرجع',
    refunded: 'المبلغ المُعاد',
    checkAgain: 'تحقق مرة أخرى',
    tryAgain: 'حاول مرة أخرى',
    openLink: 'افتح الرابط',
    backToShop: 'العودة إلى المتجر',
    backToLink: 'العودة إلى صفحة الدفع',
    canClose: 'احتفظ بالمرجع. يمكنك إغلاق هذه الصفحة.',
    notices: {
      unknown: { title: 'الرابط غير موجود', text: 'لا يوجد ما يُدفع على هذا العنوان. تحقق من الرابط الذي وصلك.' },
      inactive: { title: 'الرابط غير مفعّل', text: 'لم يعد رابط الدفع هذا مفعّلًا. اطلب من التاجر رابطًا جديدًا.' },
      expired: { title: 'انتهت صلاحية الرابط', text: 'انتهت صلاحية رابط الدفع هذا. اطلب من التاجر رابطًا جديدًا.' },
      used_up: {
        title: 'استُخدم الرابط من قبل',
        text: 'بلغ هذا الرابط العدد المسموح به من الدفعات. إذا كنت قد دفعت بالفعل فلا يلزمك شيء آخر. وإلا فاطلب من التاجر رابطًا جديدًا.',
      },
      malformed: { title: 'تعذر فهم الطلب', text: 'تعذرت قراءة الطلب، ولم يُدفع شيء. افتح الرابط من جديد.' },
      too_many: {
        title: 'طلبات كثيرة جدًا',
        text: 'تلقّى هذا الرابط طلبات كثيرة جدًا من اتصالك. انتظر دقيقة، ثم حاول مرة أخرى.',
      },
      unanswered: {
        title: 'الدفع غير ممكن حاليًا',
        text: 'خدمة الدفع بالبطاقة لا تجيب، ولم يُدفع شيء. حاول مرة أخرى بعد قليل.',
      },
      unavailable: { title: 'الخدمة غير متاحة حاليًا', text: 'لا يمكن عرض الصفحة الآن. حاول مرة أخرى بعد قليل.' },
    },
  },
}
