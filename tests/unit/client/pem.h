/*
 * pem: two self-signed certificates (CN test-a and test-b, valid for a hundred years) with their
 * keys, made for these tests alone.
 */
#ifndef TESTS_UNIT_CLIENT_PEM_H
#define TESTS_UNIT_CLIENT_PEM_H

#define PEM_A_CERT                                                                                           \
    "-----BEGIN CERTIFICATE-----\n"                                                                          \
    "MIIBjDCCATKgAwIBAgIUMndMhxfHZgfm8+XxO9l5ZqMmzQ0wCgYIKoZIzj0EAwIw\n"                                     \
    "ETEPMA0GA1UEAwwGdGVzdC1hMCAXDTI2MTEyMTA4MDMwMFoYDzIxMjYxMDI4MDgw\n"                                     \
    "MzAwWjARMQ8wDQYDVQQDDAZ0ZXN0LWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\n"                                     \
    "AASnEzGa/YPvUybqY/lsy2p6mPIoNMeKs3CLpxaE3Sxc+3dU4ZM6NqwGpATy0rT5\n"                                     \
    "2D3e387gP9KifL0hThoxW4YFo2YwZDAdBgNVHQ4EFgQUUVQo/GcXW8BgkmQphdIJ\n"                                     \
    "edeJd/swHwYDVR0jBBgwFoAUUVQo/GcXW8BgkmQphdIJedeJd/swDwYDVR0TAQH/\n"                                     \
    "BAUwAwEB/zARBgNVHREECjAIggZ0ZXN0LWEwCgYIKoZIzj0EAwIDSAAwRQIhAKHO\n"                                     \
    "OAORrW2gCUzgvgfj2AEOzajoX8D4grHYH+BHli2eAiBUDev9RiJbHCHt1sOtyr7l\n"                                     \
    "6K4uzAcJJjTT34rb+wzqzw==\n"                                                                             \
    "-----END CERTIFICATE-----\n"

#define PEM_A_KEY                                                                                            \
    "-----BEGIN PRIVATE KEY-----\n"                                                                          \
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsMh5axFEEi0c01jO\n"                                     \
    "J9X/B31ze/4IBqbq1XwT24w5fLKhRANCAASnEzGa/YPvUybqY/lsy2p6mPIoNMeK\n"                                     \
    "s3CLpxaE3Sxc+3dU4ZM6NqwGpATy0rT52D3e387gP9KifL0hThoxW4YF\n"                                             \
    "-----END PRIVATE KEY-----\n"

#define PEM_B_CERT                                                                                           \
    "-----BEGIN CERTIFICATE-----\n"                                                                          \
    "MIIBizCCATKgAwIBAgIUFUfxHqwvUgNBeZQBd9v7+6CB/+YwCgYIKoZIzj0EAwIw\n"                                     \
    "ETEPMA0GA1UEAwwGdGVzdC1iMCAXDTI2MTEyMTA4MDMwMFoYDzIxMjYxMDI4MDgw\n"                                     \
    "MzAwWjARMQ8wDQYDVQQDDAZ0ZXN0LWIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\n"                                     \
    "AAQTUvMWEfaiOXsZtdzfFomPnLRmyL+bbWLkQBiE4UAtFKPqAzgP+G9oMGZL4zgr\n"                                     \
    "4Gcuaf3TEL+VrR2oOeVPxhu3o2YwZDAdBgNVHQ4EFgQUb6eBI7b9rlSvXp4zpFhO\n"                                     \
    "PDLLDtcwHwYDVR0jBBgwFoAUb6eBI7b9rlSvXp4zpFhOPDLLDtcwDwYDVR0TAQH/\n"                                     \
    "BAUwAwEB/zARBgNVHREECjAIggZ0ZXN0LWIwCgYIKoZIzj0EAwIDRwAwRAIgVgzL\n"                                     \
    "/40088HAqXoM7bjBaPREb1ZoaeWu/8lJMJe403cCIBvgzrrdpGzUQPQueI8FwtWa\n"                                     \
    "s1A1MlEvccCcNbcnlUmi\n"                                                                                 \
    "-----END CERTIFICATE-----\n"

#define PEM_B_KEY                                                                                            \
    "-----BEGIN PRIVATE KEY-----\n"                                                                          \
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqT4oh64nrDxuOGSE\n"                                     \
    "nvPz08XsTTOts8XeeoUU6aCVej6hRANCAAQTUvMWEfaiOXsZtdzfFomPnLRmyL+b\n"                                     \
    "bWLkQBiE4UAtFKPqAzgP+G9oMGZL4zgr4Gcuaf3TEL+VrR2oOeVPxhu3\n"                                             \
    "-----END PRIVATE KEY-----\n"

#endif
