#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <string.h>

// Writes the id that a topic got when it was made, as text.
//
// Returns 1, 0 when this version of the library cannot ask for it, and -1 when nobody answers in time.
static inline int tributary_kafka_topic_id(rd_kafka_t *client, const char *topic, int milliseconds, char *id,
                                           size_t size) {
#if RD_KAFKA_VERSION >= 0x020300ff
    const char *names[] = {topic};
    rd_kafka_TopicCollection_t *topics = rd_kafka_TopicCollection_of_topic_names(names, 1);
    rd_kafka_queue_t *queue = rd_kafka_queue_new(client);
    rd_kafka_AdminOptions_t *options = rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS);
    char reason[128];
    rd_kafka_AdminOptions_set_request_timeout(options, milliseconds, reason, sizeof(reason));
    rd_kafka_DescribeTopics(client, topics, options, queue);
    rd_kafka_event_t *event = rd_kafka_queue_poll(queue, milliseconds + 1000);
    int result = -1;
    const rd_kafka_DescribeTopics_result_t *answer = event ? rd_kafka_event_DescribeTopics_result(event) : NULL;
    if (answer && !rd_kafka_event_error(event)) {
        size_t count = 0;
        const rd_kafka_TopicDescription_t **found = rd_kafka_DescribeTopics_result_topics(answer, &count);
        if (count == 1 && !rd_kafka_error_code(rd_kafka_TopicDescription_error(found[0]))) {
            const char *text = rd_kafka_Uuid_base64str(rd_kafka_TopicDescription_topic_id(found[0]));
            if (text && strlen(text) < size) {
                strcpy(id, text);
                result = 1;
            }
        }
    }
    if (event) rd_kafka_event_destroy(event);
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_queue_destroy(queue);
    rd_kafka_TopicCollection_destroy(topics);
    return result;
#else
    (void)client, (void)topic, (void)milliseconds, (void)id, (void)size;
    return 0;
#endif
}
