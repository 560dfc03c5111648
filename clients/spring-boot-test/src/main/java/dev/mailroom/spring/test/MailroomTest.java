package dev.mailroom.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestExecutionListeners;
import org.springframework.test.context.TestExecutionListeners.MergeMode;

/**
 * Makes the client and the mail sender of a Spring Boot test put mails into an
 * {@link Outbox}, which refuses what the API refuses. Neither a key nor a network is
 * needed. The outbox is emptied after each test.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(OutboxConfiguration.class)
@TestExecutionListeners(listeners = OutboxReset.class, mergeMode = MergeMode.MERGE_WITH_DEFAULTS)
public @interface MailroomTest {

}
