/** Tests of the Helm chart and of the images. */
@NullMarked
package dev.mailroom.system.deployment;

import org.jspecify.annotations.NullMarked;
