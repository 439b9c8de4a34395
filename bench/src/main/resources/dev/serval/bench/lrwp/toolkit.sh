# Compiles a source $1 into the folder $0, and makes a key and a certificate there. The toolkit
# refuses names of the type UTF8String, which openssl writes by default.
cd "$0"
cc -O2 -o osp_client "$1" -losptk
printf '[req]\nstring_mask=default\ndistinguished_name=dn\n[dn]\n' >client.cnf
openssl req -x509 -config client.cnf -newkey rsa:2048 -nodes -subj /CN=client \
    -keyout key.pem -outform DER -out certificate.der
openssl rsa -in key.pem -traditional -outform DER -out key.der
