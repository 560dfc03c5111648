{{- define "mailroom.fullname" -}}
{{- if contains "mailroom" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-mailroom" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "mailroom.selector" -}}
app.kubernetes.io/name: mailroom
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "mailroom.labels" -}}
{{ include "mailroom.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: mailroom
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
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

{{- define "mailroom.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "mailroom.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "mailroom.databaseEnv" -}}
- name: MAILROOM_DB_USER
  valueFrom: {secretKeyRef: {name: {{ .Values.database.existingSecret }}, key: username}}
- name: MAILROOM_DB_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .Values.database.existingSecret }}, key: password}}
{{- end }}

{{- /* Secrets of the apps: root, keys. Only the master key is required. */}}
{{- define "mailroom.secretEnv" -}}
{{- $secret := include "mailroom.secret" .root }}
{{- range .keys }}
- name: {{ . }}
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ . }}, optional: {{ ne . "MAILROOM_MASTER_KEY" }}}}
{{- end }}
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

{{- /* Annotations that restart the pods when their configuration changes. */}}
{{- define "mailroom.checksums" -}}
checksum/config: {{ include (print $.Template.BasePath "/config.yaml") . | sha256sum }}
{{- end }}

{{- define "mailroom.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "mailroom.selector" . | nindent 8 }}
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "mailroom.selector" . | nindent 8 }}
{{- end }}

{{- define "mailroom.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Pod of an app: root, component, app, grace, env (text), ports (text), mounts and volumes (text), resources. */}}
{{- define "mailroom.pod" -}}
metadata:
  labels: {{- include "mailroom.labels" . | nindent 4 }}
  annotations: {{- include "mailroom.checksums" .root | nindent 4 }}
spec:
  serviceAccountName: {{ include "mailroom.fullname" .root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext: {{- include "mailroom.podSecurity" . | nindent 4 }}
  terminationGracePeriodSeconds: {{ .grace }}
  {{- include "mailroom.spread" . | nindent 2 }}
  {{- include "mailroom.placement" .root | trim | nindent 2 }}
  containers:
    - name: {{ .component }}
      image: {{ include "mailroom.image" (dict "root" .root "app" .app "key" .component) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext: {{- include "mailroom.containerSecurity" . | nindent 8 }}
      envFrom:
        - configMapRef: {name: {{ include "mailroom.fullname" .root }}}
      env:
        {{- include "mailroom.databaseEnv" .root | nindent 8 }}
        {{- .env | trim | nindent 8 }}
      ports:
        {{- .ports | trim | nindent 8 }}
        - {name: management, containerPort: 8090}
      {{- include "mailroom.probes" . | nindent 6 }}
      lifecycle:
        preStop:
          sleep: {seconds: {{ .root.Values.preStopSeconds }}}
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- with .mounts }}{{ . | trim | nindent 8 }}{{ end }}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: 1Gi}
    {{- with .volumes }}{{ . | trim | nindent 4 }}{{ end }}
{{- end }}

{{- /* Backend service: root, component, port, name. */}}
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

{{- define "mailroom.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "mailroom.fullname" .root }}-{{ .component }}
  labels: {{- include "mailroom.labels" . | nindent 4 }}
  {{- with .ingress.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .ingress.tlsSecret }}
  tls:
    - secretName: {{ . }}
      hosts: [{{ $.ingress.host | quote }}]
  {{- end }}
  rules:
    - host: {{ .ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "mailroom.fullname" .root }}-{{ .component }}
                port: {name: http}
{{- end }}
