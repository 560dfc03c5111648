package dev.mailroom.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of the type {@code WebhookEvent} of a controller's method: the event
 * of a call whose signature is of a secret in {@code mailroom.webhook-secrets}. Any other
 * call gets 401.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface VerifiedWebhook {

}
