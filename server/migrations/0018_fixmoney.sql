-- The bank keeps the blacklist of the ventures for which it processes. A hit of the verifier did not have the bank's mark so far.
update clients set blacklisted_by_bank = true
where is_blacklisted and not blacklisted_by_bank and venture_id in (select id from ventures where control = 'MANAGED');
