#ifndef TRIBUTARY_CCURL_SHIM_H
#define TRIBUTARY_CCURL_SHIM_H

#include <curl/curl.h>

// libcurl sets and reads its options by variadic functions, which Swift cannot call: one function for each kind of value.

typedef size_t (*tributary_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode tributary_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tributary_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tributary_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tributary_curl_set_bytes(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tributary_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tributary_curl_set_callback(CURL *handle, CURLoption option, tributary_curl_callback value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tributary_curl_set_context(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// Addresses of http and https only; the option's name depends on the version.
static inline CURLcode tributary_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Where the version can: a request that is given up does not wait for the name server.
static inline void tributary_curl_leave_name_lookup(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    (void)curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
#endif
}

static inline CURLMcode tributary_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Gives the request that has ended next, with its result; NULL when there is none.
static inline CURL *tributary_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

#endif
