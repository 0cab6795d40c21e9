<?php

/** `$headers` as getallheaders() has them; `$body` as file_get_contents('php://input') has it. */
function verify(string $secret, array $headers, string $body): bool
{
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    // What is missing or not a number counts as 0, which is long ago.
    if ($id === '' || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    // With a secret that was never set, anyone could sign.
    if (!$key) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

// To try it: {"secret": "whsec_…", "headers": {…}, "body": "…"} on standard input; exits with 0 if the signature is right, else 1.
if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $given = json_decode(file_get_contents('php://stdin'), true);
    exit(verify($given['secret'], $given['headers'], $given['body']) ? 0 : 1);
}
