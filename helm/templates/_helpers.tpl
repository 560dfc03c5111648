{{- define "mailroom.name" -}}
{{- .Values.nameOverride | default "mailroom" | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "mailroom.fullname" -}}
{{- $name := include "mailroom.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $full | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "mailroom.selector" -}}
app.kubernetes.io/name: {{ include "mailroom.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* Labels of a pod: root, component, labels (further ones). The version of the chart would restart all pods. */}}
{{- define "mailroom.podLabels" -}}
{{- $labels := include "mailroom.selector" . | fromYaml -}}
{{- $_ := set $labels "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set $labels "app.kubernetes.io/part-of" "mailroom" -}}
{{- $_ := set $labels "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- merge $labels (.labels | default dict) .root.Values.commonLabels | toYaml -}}
{{- end }}

{{- define "mailroom.labels" -}}
{{ include "mailroom.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- /*
Settings of a pod: pods of the values, and then those of its app (own). Maps are merged, and a null removes a key; lists
follow each other; affinity and priorityClassName of the app replace the others.
*/}}
{{- define "mailroom.settings" -}}
{{- $sources := list .root.Values.pods .own -}}
{{- $settings := dict -}}
{{- range $part := list "labels" "annotations" "podLabels" "podAnnotations" "nodeSelector" "podSecurityContext" "containerSecurityContext" -}}
{{- $map := dict -}}
{{- range $source := $sources -}}
{{- range $key, $value := index $source $part -}}
{{- if kindIs "invalid" $value }}{{ $_ := unset $map $key }}{{ else }}{{ $_ := set $map $key $value }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $_ := set $settings $part $map -}}
{{- end -}}
{{- range $part := list "env" "volumes" "volumeMounts" "tolerations" -}}
{{- $list := list -}}
{{- range $sources }}{{ $list = concat $list (index . $part | default list) }}{{ end -}}
{{- $_ := set $settings $part $list -}}
{{- end -}}
{{- range $part := list "affinity" "priorityClassName" -}}
{{- $_ := set $settings $part (index $.own $part | default (index $.root.Values.pods $part)) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end }}

{{- /* Variables: own (text), extra (list, of which those of the same name replace own ones). */}}
{{- define "mailroom.env" -}}
{{- $extra := dict -}}
{{- range .extra }}{{ $_ := set $extra .name . }}{{ end -}}
{{- $env := list -}}
{{- range .own | fromYamlArray -}}
{{- $env = append $env (get $extra .name | default .) -}}
{{- $_ := unset $extra .name -}}
{{- end -}}
{{- range .extra }}{{ if hasKey $extra .name }}{{ $env = append $env . }}{{ end }}{{ end -}}
{{- toYaml $env -}}
{{- end }}

{{- /* Image of an app: root, app (name of the image), key (of the digest). */}}
{{- define "mailroom.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digest .key -}}
{{- printf "%s/%s/%s" $image.registry $image.repository .app -}}
{{- if $digest }}@{{ $digest }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{- /* Name of the secret with the master key. */}}
{{- define "mailroom.secret" -}}
{{- if .Values.secrets.externalSecrets.enabled }}{{ include "mailroom.fullname" . }}{{ else }}{{ .Values.secrets.existingSecret }}{{ end -}}
{{- end }}

{{- /* Reference to a key of a secret: variable, secret, key, optional. */}}
{{- define "mailroom.secretKey" -}}
- name: {{ .variable }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}{{ if .optional }}, optional: true{{ end }}}}
{{- end }}

{{- define "mailroom.jvmEnv" }}
- {name: JDK_JAVA_OPTIONS, value: "-XX:ActiveProcessorCount={{ .processors }}"}
{{- end }}

{{- define "mailroom.databaseEnv" -}}
{{- $database := .Values.database }}
{{ include "mailroom.secretKey" (dict "variable" "MAILROOM_DB_USER" "secret" $database.existingSecret "key" $database.keys.username) }}
{{ include "mailroom.secretKey" (dict "variable" "MAILROOM_DB_PASSWORD" "secret" $database.existingSecret "key" $database.keys.password "optional" (ne "" $database.clientSecret)) }}
{{- end }}

{{- /* Secrets of the apps: root, variables. Only the master key is required. */}}
{{- define "mailroom.secretEnv" -}}
{{- $secret := include "mailroom.secret" .root }}
{{- range .variables }}
{{ include "mailroom.secretKey" (dict "variable" . "secret" $secret "key" (get $.root.Values.secrets.keys . | default .) "optional" (ne . "MAILROOM_MASTER_KEY")) }}
{{- end }}
{{- end }}

{{- /* The URL of the database with the file of its authority, which every pod mounts. */}}
{{- define "mailroom.databaseUrl" -}}
{{- include "mailroom.verifiedUrl" (dict "root" . "name" "url") -}}
{{- end }}

{{- /* A URL of PostgreSQL: root, name of the value below database. */}}
{{- define "mailroom.verifiedUrl" -}}
{{- $database := .root.Values.database -}}
{{- $url := get $database .name -}}
{{- $verified := contains "sslmode=verify-" $url -}}
{{- if $database.caSecret -}}
{{- if and (contains "sslmode=" $url) (not $verified) }}{{ fail (printf "database.%s must have sslmode=verify-full or verify-ca, or none, if database.caSecret is set" .name) }}{{ end -}}
{{- if not $verified }}{{ $url = printf "%s%ssslmode=verify-full" $url (ternary "&" "?" (contains "?" $url)) }}{{ end -}}
{{- $url = printf "%s&sslrootcert=/etc/mailroom/database/%s" $url $database.keys.ca -}}
{{- else if and $verified (not (contains "sslrootcert=" $url)) -}}
{{- fail (printf "database.caSecret must have the authority of the server's certificate if database.%s has sslmode=verify-full or verify-ca" .name) -}}
{{- end -}}
{{- if and $database.ownerClientSecret (not $database.clientSecret) }}{{ fail "database.ownerClientSecret must have database.clientSecret beside it" }}{{ end -}}
{{- if $database.clientSecret -}}
{{- if not (regexMatch "sslmode=(require|verify-)" $url) }}{{ fail (printf "database.clientSecret must have database.caSecret beside it, or sslmode=require in database.%s" .name) }}{{ end -}}
{{- $url = printf "%s&sslcert=/etc/mailroom/database-client/%s&sslkey=/etc/mailroom/database-client/%s" $url $database.keys.certificate $database.keys.key -}}
{{- end -}}
{{- $url -}}
{{- end }}

{{- define "mailroom.databaseMounts" -}}
{{- if .Values.database.caSecret }}
- {name: database, mountPath: /etc/mailroom/database, readOnly: true}
{{- end }}
{{- if .Values.database.clientSecret }}
- {name: database-client, mountPath: /etc/mailroom/database-client, readOnly: true}
{{- end }}
{{- end }}

{{- /* The files of the database: root, client (secret with the certificate). The driver refuses a key that others may read. */}}
{{- define "mailroom.databaseVolumes" -}}
{{- with .root.Values.database.caSecret }}
- name: database
  secret: {secretName: {{ . }}}
{{- end }}
{{- with .client }}
- name: database-client
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{- /* Names of the private authorities that an app uses: root, component. */}}
{{- define "mailroom.authorities" -}}
{{- range $name, $authority := .root.Values.authorities }}
{{- if and .secret (or (eq $name "s3") (eq $.component "worker")) }}
- {{ $name }}
{{- end }}
{{- end }}
{{- end }}

{{- define "mailroom.authorityEnv" -}}
{{- range $name := include "mailroom.authorities" . | fromYamlArray }}
- {name: MAILROOM_{{ upper $name }}_CA_FILE, value: "/etc/mailroom/authorities/{{ $name }}/{{ (index $.root.Values.authorities $name).key }}"}
{{- end }}
{{- end }}

{{- /* A setting of an app: root, component, name. */}}
{{- define "mailroom.setting" -}}
{{- $own := (index .root.Values .component).config -}}
{{- ternary (get $own .name) (get .root.Values.config .name) (hasKey $own .name) -}}
{{- end }}

{{- /* Connections to the database that all pods and the migration may open together; docs/operations.md has the sum. */}}
{{- define "mailroom.connections" -}}
{{- $sum := 1 -}}
{{- range $app := list (dict "name" "api" "work" 5 "lists" 3 "more" 6) (dict "name" "admin" "work" 5 "lists" 3 "more" 6) (dict "name" "worker" "work" 10 "lists" 1 "more" 7) -}}
{{- $own := index $.Values $app.name -}}
{{- $pods := int $own.replicas -}}
{{- if and $own.hpa $own.hpa.enabled }}{{ $pods = int $own.hpa.maxReplicas }}{{ end -}}
{{- if and $own.keda $own.keda.enabled }}{{ $pods = int $own.keda.maxReplicas }}{{ end -}}
{{- if and (hasKey $own "enabled") (not $own.enabled) }}{{ $pods = 0 }}{{ end -}}
{{- $work := include "mailroom.setting" (dict "root" $ "component" $app.name "name" "MAILROOM_DB_CONNECTIONS") | default $app.work | int -}}
{{- $lists := include "mailroom.setting" (dict "root" $ "component" $app.name "name" "MAILROOM_DB_LIST_CONNECTIONS") | default $app.lists | int -}}
{{- $sum = add $sum (mul $pods (add $work $lists $app.more)) -}}
{{- end -}}
{{- $sum -}}
{{- end }}

{{- /* Settings of an app: root, component. Those of the app, those of all apps, and what the chart sets itself. */}}
{{- define "mailroom.config" -}}
{{- $values := .root.Values -}}
{{- $config := dict "MAILROOM_LOG_FORMAT" "ecs" -}}
{{- range $source := list $values.config (index $values .component).config -}}
{{- range $name, $value := $source -}}
{{- /* Helm reads numbers as floating point, and would write a million as 1e+06. */ -}}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}{{ $value = int64 $value }}{{ end -}}
{{- $_ := set $config $name (toString $value) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $config "MAILROOM_DB_URL" (include "mailroom.databaseUrl" .root) -}}
{{- if and $values.database.replicaUrl (ne .component "worker") }}{{ $_ := set $config "MAILROOM_DB_REPLICA_URL" (include "mailroom.verifiedUrl" (dict "root" .root "name" "replicaUrl")) }}{{ end -}}
{{- $_ := set $config "MAILROOM_MANAGEMENT_PORT" "8090" -}}
{{- if eq .component "api" }}{{ $_ := set $config "MAILROOM_API_PORT" "8080" }}{{ end -}}
{{- if and (eq .component "api") (index $config "MAILROOM_ACME_DIRECTORY") (not (index $config "MAILROOM_TRACKING_PORT")) }}{{ $_ := set $config "MAILROOM_TRACKING_PORT" "8443" }}{{ end -}}
{{- if eq .component "admin" }}{{ $_ := set $config "MAILROOM_ADMIN_PORT" "8081" }}{{ end -}}
{{- if eq .component "worker" -}}
{{- $_ := set $config "MAILROOM_KAFKA_BOOTSTRAP" $values.kafka.bootstrapServers -}}
{{- $_ := set $config "MAILROOM_DISPATCH_TOPIC" $values.kafka.topic.name -}}
{{- $_ := set $config "MAILROOM_DISPATCH_PARTITIONS" (toString $values.kafka.topic.partitions) -}}
{{- $_ := set $config "MAILROOM_DISPATCH_REPLICATION" (toString $values.kafka.topic.replicationFactor) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end }}

{{- define "mailroom.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "mailroom.fullname" .) -}}
{{- end }}

{{- define "mailroom.probes" -}}
startupProbe:
  httpGet: {path: /actuator/health/liveness, port: management}
  periodSeconds: 2
  failureThreshold: 90
livenessProbe:
  httpGet: {path: /actuator/health/liveness, port: management}
  periodSeconds: 10
  timeoutSeconds: 3
readinessProbe:
  httpGet: {path: /actuator/health/readiness, port: management}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end }}

{{- /* The pods of each revision are spread for themselves: otherwise those of the old one decide about those of the new. */}}
{{- define "mailroom.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels: {{- include "mailroom.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}

{{- /* Settings that the pods of the apps, the migration and the test share: root, settings. */}}
{{- define "mailroom.placement" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml .settings.podSecurityContext | nindent 2 }}
{{- range $part := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with index $.settings $part }}
{{ $part }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Deployment of an app: root, component, app (name of the image), scaled (by something else), env, ports, mounts and volumes (text). */}}
{{- define "mailroom.deployment" -}}
{{- $values := index .root.Values .component -}}
{{- $settings := include "mailroom.settings" (dict "root" .root "own" $values) | fromYaml -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "mailroom.fullname" .root }}-{{ .component }}
  labels: {{- include "mailroom.labels" (dict "root" .root "component" .component "labels" $settings.labels) | nindent 4 }}
  {{- with $settings.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if not .scaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  selector:
    matchLabels: {{- include "mailroom.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "mailroom.podLabels" (dict "root" .root "component" .component "labels" $settings.podLabels) | nindent 8 }}
      annotations:
        # A new configuration restarts the pods of this app.
        checksum/config: {{ include "mailroom.config" . | sha256sum }}
        {{- with $settings.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: {{ include "mailroom.serviceAccount" .root }}
      {{- include "mailroom.placement" (dict "root" .root "settings" $settings) | nindent 6 }}
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- include "mailroom.spread" . | nindent 6 }}
      containers:
        - name: {{ .component }}
          image: {{ include "mailroom.image" (dict "root" .root "app" .app "key" .component) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext: {{- toYaml $settings.containerSecurityContext | nindent 12 }}
          envFrom:
            - configMapRef: {name: {{ include "mailroom.fullname" .root }}-{{ .component }}}
          env: {{- include "mailroom.env" (dict "own" (print (include "mailroom.jvmEnv" $values) (include "mailroom.databaseEnv" .root) .env (include "mailroom.authorityEnv" .)) "extra" $settings.env) | nindent 12 }}
          ports:
            {{- with .ports }}{{ . | trim | nindent 12 }}{{ end }}
            - {name: management, containerPort: 8090}
          {{- include "mailroom.probes" . | nindent 10 }}
          lifecycle:
            preStop:
              sleep: {seconds: {{ .root.Values.preStopSeconds }}}
          resources: {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            - {name: tmp, mountPath: /tmp}
            {{- with include "mailroom.databaseMounts" .root }}{{ . | trim | nindent 12 }}{{ end }}
            {{- range include "mailroom.authorities" . | fromYamlArray }}
            - {name: authority-{{ . }}, mountPath: /etc/mailroom/authorities/{{ . }}, readOnly: true}
            {{- end }}
            {{- with .mounts }}{{ . | trim | nindent 12 }}{{ end }}
            {{- with $settings.volumeMounts }}{{ toYaml . | nindent 12 }}{{ end }}
      volumes:
        - name: tmp
          emptyDir: {sizeLimit: 1Gi}
        {{- with include "mailroom.databaseVolumes" (dict "root" .root "client" .root.Values.database.clientSecret) }}{{ . | trim | nindent 8 }}{{ end }}
        {{- range include "mailroom.authorities" . | fromYamlArray }}
        - name: authority-{{ . }}
          secret: {secretName: {{ (index $.root.Values.authorities .).secret }}}
        {{- end }}
        {{- with .volumes }}{{ . | trim | nindent 8 }}{{ end }}
        {{- with $settings.volumes }}{{ toYaml . | nindent 8 }}{{ end }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "mailroom.fullname" .root }}-{{ .component }}
  labels: {{- include "mailroom.labels" . | nindent 4 }}
data: {{- include "mailroom.config" . | nindent 2 }}
{{- end }}

{{- /* Port of HTTPS below tracking domains; empty if the installation orders no certificates. */}}
{{- define "mailroom.trackingPort" -}}
{{- $context := dict "root" . "component" "api" -}}
{{- if include "mailroom.setting" (merge (dict "name" "MAILROOM_ACME_DIRECTORY") $context) -}}
{{- include "mailroom.setting" (merge (dict "name" "MAILROOM_TRACKING_PORT") $context) | default "8443" -}}
{{- end -}}
{{- end }}

{{- /* Backend service: root, component, port, tracking (port of HTTPS below tracking domains), name. */}}
{{- define "mailroom.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "mailroom.fullname" .root }}-{{ .component }}
  labels: {{- include "mailroom.labels" . | nindent 4 }}
spec:
  selector: {{- include "mailroom.selector" . | nindent 4 }}
  ports:
    {{- if .port }}
    - {name: http, port: {{ .port }}, targetPort: http, appProtocol: http}
    {{- end }}
    {{- with .tracking }}
    - {name: tracking, port: {{ . }}, targetPort: tracking, appProtocol: https}
    {{- end }}
    - {name: management, port: 8090, targetPort: management, appProtocol: http}
{{- end }}

{{- define "mailroom.pdb" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "mailroom.fullname" .root }}-{{ .component }}
  labels: {{- include "mailroom.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .maxUnavailable }}
  # Pods that are not ready do not stop the drain of a node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "mailroom.selector" . | nindent 6 }}
{{- end }}

{{- /* Ingress and HTTPRoute of an app, as far as they are enabled: root, component, port. */}}
{{- define "mailroom.routes" -}}
{{- $values := index .root.Values .component -}}
{{- $name := printf "%s-%s" (include "mailroom.fullname" .root) .component -}}
{{- with $values.ingress }}
{{- if .enabled }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ $name }}
  labels: {{- include "mailroom.labels" $ | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .tlsSecret }}
  tls:
    - secretName: {{ . }}
      hosts: [{{ $values.ingress.host | quote }}]
  {{- end }}
  rules:
    - host: {{ .host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ $name }}
                port: {name: http}
{{- end }}
{{- end }}
{{- with $values.httpRoute }}
{{- if .enabled }}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ $name }}
  labels: {{- include "mailroom.labels" $ | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  parentRefs: {{- toYaml .parentRefs | nindent 4 }}
  hostnames: {{- toYaml .hostnames | nindent 4 }}
  rules:
    - backendRefs:
        - {name: {{ $name }}, port: {{ $.port }}}
{{- end }}
{{- end }}
{{- end }}
